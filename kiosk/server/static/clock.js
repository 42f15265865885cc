// Clocks as the table shows them. What a face says holds at its `at_ms`; a running side loses its delay first, then its reserve.

// A remaining time in milliseconds: rounded up, `m:ss`, below 20 s with tenths, from 100 minutes on `h:mm:ss`.
export function clockText(ms) {
  const left = Math.max(0, ms);
  const two = (n) => String(n).padStart(2, "0");
  if (left < 20000) {
    const tenths = Math.ceil(left / 100);
    return `${Math.floor(tenths / 600)}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
  }
  const whole = Math.ceil(left / 1000);
  const minutes = Math.floor(whole / 60);
  if (whole >= 6000) return `${Math.floor(whole / 3600)}:${two(minutes % 60)}:${two(whole % 60)}`;
  return `${minutes}:${two(whole % 60)}`;
}

// How long something has waited: the second that has begun is left out.
export function waitText(ms) {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${two(whole % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

// What a side has left at an instant of the house's clock: {reserve, delay}, both null where no times are shown.
// An offline table's clocks stand where it was heard last: nobody knows what has happened there since.
export function timesOf(face, side, nowMs) {
  if (!face.reserve_ms) return { reserve: null, delay: null };
  const reserve = face.reserve_ms[side];
  if (!runs(face, side)) return { reserve, delay: null };
  const until = face.online ? nowMs : Math.min(nowMs, face.seen_ms ?? face.at_ms);
  const gone = Math.max(0, until - face.at_ms);
  const delay = face.delay_left_ms ?? 0;
  return { reserve: Math.max(0, reserve - Math.max(0, gone - delay)), delay: Math.max(0, delay - gone) };
}

export function runs(face, side) {
  return Boolean(face.running && face.running.includes(side));
}

// The house's clock on this page: the least delayed word of the server says how far ahead of the page's own steady clock it is.
export class HouseClock {
  #heard = [];

  hear(serverMs, hereMs = performance.now()) {
    this.#heard.push(serverMs - hereMs);
    if (this.#heard.length > 40) this.#heard.shift();
  }

  forget() {
    this.#heard = [];
  }

  now(hereMs = performance.now()) {
    return hereMs + Math.max(...this.#heard);
  }

  get known() {
    return this.#heard.length > 0;
  }
}
