// One line to the server for all pages of a browser: browsers open only a few connections to one server, and each page would hold one.
//
// The pages that can be seen stand in a queue for one lock; whichever holds it leads: it reads what all of them want, over one connection,
// and passes it on. A page that is hidden or closed lets go, and the next one leads. A page that leads says so every second; where it has
// fallen silent, another takes the lock from it. Without locks every page reads for itself.
const NAME = "tableside-live";
const BEAT_MS = 1000;
const GONE_MS = 6000; // a page that has not said for so long what it wants has gone
const STEAL_MS = 4000; // a leader that has been silent for so long is stuck
const TOGETHER_MS = 40; // pages that come together are waited for
const AGAIN_MS = 1000; // between two attempts
const SILENT_MS = 4000; // a line without a word for so long is opened anew
const PATIENCE_MS = 2500; // an attempt may take so long; every fifth one longer, for lines that are only slow
const LONG_MS = 8000;
const MOST = 64;

// "/live/table/12" is what the server calls "table:12" among several.
export function channelOf(address) {
  return address.split("/").slice(2).map(decodeURIComponent).join(":");
}

export class Shared {
  constructor(address, hear) {
    this.channel = channelOf(address);
    this.hear = hear;
    this.id = `${Date.now()} ${Math.random()}`;
    this.turn = null; // this page's place in the queue, while it can be seen
    this.leads = false;
    this.members = new Map();
    this.post = window.BroadcastChannel && navigator.locks ? new BroadcastChannel(NAME) : null;
    if (this.post) this.post.onmessage = (event) => this.told(event.data);
  }

  join() {
    if (this.turn) return;
    this.aliveAt = performance.now();
    this.want();
    this.stand(false);
  }

  leave() {
    const turn = this.turn;
    this.turn = null;
    turn?.stop.abort();
    turn?.end?.();
    this.follow();
    this.say({ bye: this.id });
  }

  // The network has come back: do not wait for the next attempt.
  again() {
    if (this.leads) this.open();
  }

  async stand(steal) {
    this.turn?.stop.abort();
    const turn = { stop: new AbortController(), end: null };
    this.turn = turn;
    if (!this.post) {
      this.lead();
      return;
    }
    try {
      await navigator.locks.request(NAME, steal ? { steal: true } : { signal: turn.stop.signal }, () => new Promise((end) => {
        turn.end = end;
        if (this.turn === turn) this.lead();
        else end();
      }));
    } catch (error) {
      // ABORT_ERR: this page was hidden before its turn came, or another one took the lock, for this one had fallen silent
      if (error.code !== DOMException.ABORT_ERR) this.post = null; // there are no locks here
    }
    if (this.turn !== turn) return;
    this.follow();
    this.stand(false);
  }

  lead() {
    this.leads = true;
    this.attempts = 0;
    this.members.clear();
    this.say({ who: true });
    this.soon();
  }

  follow() {
    this.leads = false;
    clearTimeout(this.opening);
    this.opening = null;
    this.source?.close();
    this.source = null;
    this.aliveAt = performance.now();
  }

  // ── Among the pages ──
  say(message) {
    this.post?.postMessage(message);
  }

  want() {
    this.beatAt = performance.now();
    this.say({ want: this.channel, id: this.id });
  }

  told(message) {
    if (!this.turn) return;
    if (message.who) this.want();
    else if (this.leads) this.manage(message);
    else if (message.alive || message.kind) {
      this.aliveAt = performance.now();
      if (message.kind) this.pass(message.kind, message.data);
    }
  }

  manage(message) {
    if (message.bye) this.members.delete(message.bye);
    if (!message.want) return;
    const known = this.members.get(message.id)?.channel === message.want;
    this.members.set(message.id, { channel: message.want, at: performance.now() });
    if (!known) this.soon();
  }

  pass(kind, data) {
    if (!data.of || data.of === this.channel) this.hear(kind, data);
  }

  // ── The line ──
  soon() {
    this.opening ??= setTimeout(() => this.open(), this.post ? TOGETHER_MS : 0);
  }

  open() {
    clearTimeout(this.opening);
    this.opening = null;
    this.source?.close();
    this.since = performance.now();
    this.attempts += 1;
    const wanted = new Set([this.channel, ...[...this.members.values()].map((member) => member.channel)]);
    const query = [...wanted].slice(0, MOST).map((channel) => `of=${encodeURIComponent(channel)}`);
    const source = new EventSource(`/live/several?${query.join("&")}`);
    this.source = source;
    for (const kind of ["all", "some", "changed", "tick", "stale"]) {
      source.addEventListener(kind, (event) => source === this.source && this.heard(kind, JSON.parse(event.data)));
    }
    source.onerror = () => {
      if (source !== this.source) return;
      source.close();
      this.source = null;
    };
  }

  heard(kind, data) {
    this.heardAt = performance.now();
    this.attempts = 0;
    if (this.members.size) this.say({ kind, data });
    this.pass(kind, data);
  }

  // What time brings; called several times a second.
  look() {
    if (!this.turn) return;
    const now = performance.now();
    if (this.leads) this.tend(now);
    else if (now - this.aliveAt > STEAL_MS) {
      this.aliveAt = now;
      this.stand(true);
    } else if (now - this.beatAt > BEAT_MS) this.want();
  }

  tend(now) {
    if (now - this.beatAt > BEAT_MS) {
      this.beatAt = now;
      this.say({ alive: true });
      for (const [id, member] of this.members) if (now - member.at > GONE_MS) this.members.delete(id);
    }
    if (this.opening) return;
    const patience = this.attempts === 0 ? SILENT_MS : this.attempts % 5 === 0 ? LONG_MS : PATIENCE_MS;
    if (!this.source) {
      if (now - this.since > AGAIN_MS) this.open();
    } else if (now - Math.max(this.heardAt ?? 0, this.since) > patience) {
      this.open();
    }
  }
}
