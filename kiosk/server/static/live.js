// The page's line to the server. It opens itself again whenever it breaks or falls silent, and says meanwhile since when nothing was heard.
//
// A browser keeps six connections to a server, whatever many pages are open: with all of them held by lines nothing would load any more.
// So a page that nobody sees lets its line go, at most HELD pages of a browser hold one, and further ones ask for the whole each second.
//
// The element with `data-live` names the feed; the one with id `lost` is shown while it is silent (`data-text` holds {time}).
import { HouseClock } from "./clock.js";

const SILENT_MS = 4000; // without a word for so long, what the page shows is old
const LOOK_MS = 250;
const AGAIN_MS = 1000; // between two attempts
const PATIENCE_MS = 2500; // an attempt may take so long; every fifth one longer, for lines that are only slow
const LONG_MS = 8000;
const HELD = 4;
const UNSEEN_MS = 5000; // out of sight for so long, a page lets its line go

export class Line {
  constructor(address, events, onLost) {
    this.clock = new HouseClock();
    this.address = address;
    this.events = events;
    this.onLost = onLost;
    this.lost = false;
    this.heardAt = performance.now();
    this.attempts = 0;
    this.open();
    this.timer = setInterval(() => this.look(), LOOK_MS);
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => this.turn());
    addEventListener("pageshow", (event) => event.persisted && this.again());
    addEventListener("pagehide", () => this.rest());
  }

  get polls() {
    return !this.release && Boolean(navigator.locks);
  }

  // One of the places for lines of this browser, where one is free.
  async place() {
    for (let n = 1; n <= HELD && this.polls; n += 1) {
      await new Promise((go) => {
        const held = (lock) => lock && new Promise((release) => { this.release = release; go(); });
        navigator.locks.request(`tableside-line-${n}`, { ifAvailable: true }, (lock) => held(lock) ?? go()).catch(go);
      });
    }
  }

  rest() {
    this.source?.close();
    this.source = null;
    this.release?.();
    this.release = null;
  }

  turn() {
    clearTimeout(this.unseen);
    if (document.hidden) {
      this.unseen = setTimeout(() => {
        this.away = true;
        this.turns += 1;
        this.rest();
      }, UNSEEN_MS);
    } else if (this.away) {
      this.away = false;
      this.heardAt = performance.now();
      this.open();
    }
  }

  async open() {
    this.source?.close();
    this.source = null;
    this.since = performance.now();
    this.attempts += 1;
    const turn = (this.turns = (this.turns ?? 0) + 1);
    await this.place();
    if (turn !== this.turns) return;
    const source = new EventSource(this.polls ? `${this.address}?once` : this.address);
    this.source = source;
    for (const kind of ["all", "some", "changed", "tick"]) {
      source.addEventListener(kind, (event) => source === this.source && this.hear(kind, JSON.parse(event.data)));
    }
    source.onerror = () => {
      if (source !== this.source) return;
      source.close();
      this.source = null;
    };
  }

  again() {
    if (!this.away) this.open();
  }

  hear(kind, data) {
    if (kind === "all") this.clock.forget();
    this.heardAt = performance.now();
    this.attempts = 0;
    this.clock.hear(data.now_ms, this.heardAt);
    this.tell(false);
    this.events[kind]?.(data);
    document.documentElement.dataset.live = "yes"; // for tests: what is shown now came from the feed
  }

  look() {
    if (this.away) return;
    const now = performance.now();
    if (now - this.heardAt > SILENT_MS) this.tell(true);
    const patience = this.attempts === 0 ? SILENT_MS : this.attempts % 5 === 0 ? LONG_MS : PATIENCE_MS;
    if (!this.source) {
      if (now - this.since > AGAIN_MS) this.open();
    } else if (now - Math.max(this.heardAt, this.since) > patience) {
      this.open();
    }
  }

  tell(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    this.onLost?.(lost);
    document.documentElement.classList.toggle("stale", lost);
    const place = document.getElementById("lost");
    if (!place) return;
    place.hidden = !lost;
    const at = new Date(Date.now() - (performance.now() - this.heardAt));
    const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
    place.textContent = lost ? place.dataset.text.replace("{time}", time) : "";
  }
}
