// The page's line to the server. It opens itself again whenever it breaks or falls silent, and says meanwhile since when nothing was heard.
//
// The element with `data-live` names the feed; the one with id `lost` is shown while it is silent (`data-text` holds {time}).
import { HouseClock } from "./clock.js";

const SILENT_MS = 4000; // without a word for so long, what the page shows is old
const LOOK_MS = 250;
const AGAIN_MS = 1000; // between two attempts
const PATIENCE_MS = 2500; // an attempt may take so long; every fifth one longer, for lines that are only slow
const LONG_MS = 8000;

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
    addEventListener("pageshow", (event) => event.persisted && this.again());
    addEventListener("pagehide", () => this.source?.close());
  }

  open() {
    this.source?.close();
    this.since = performance.now();
    this.attempts += 1;
    const source = new EventSource(this.address);
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
    this.source?.close();
    this.source = null;
    this.open();
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
