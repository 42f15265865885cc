// The page's line to the server, which it shares with the browser's other pages (shared.js). It opens itself again whenever it breaks or
// falls silent, and says meanwhile since when nothing was heard. A page that cannot be seen holds none; it gets the whole when it is shown.
//
// The element with `data-live` names the feed; the one with id `lost` is shown while it is silent (`data-text` holds {time}).
import { HouseClock } from "./clock.js";
import { Shared } from "./shared.js";

const SILENT_MS = 4000; // without a word for so long, what the page shows is old
const LOOK_MS = 250;

export class Line {
  constructor(address, events, onLost) {
    this.clock = new HouseClock();
    this.events = events;
    this.onLost = onLost;
    this.lost = false;
    this.heardAt = performance.now();
    this.shownAt = this.heardAt;
    this.shared = new Shared(address, (kind, data) => this.hear(kind, data));
    this.appear();
    this.timer = setInterval(() => this.look(), LOOK_MS);
    document.addEventListener("visibilitychange", () => this.appear());
    addEventListener("online", () => this.shared.again());
    addEventListener("pageshow", (event) => event.persisted && this.appear());
    addEventListener("pagehide", () => this.shared.leave());
  }

  appear() {
    if (document.hidden) {
      this.shared.leave();
      return;
    }
    this.shownAt = performance.now();
    this.shared.join();
  }

  hear(kind, data) {
    if (kind === "stale") {
      this.tell(true); // the server is there, and cannot read what it knows
      return;
    }
    if (kind === "all") this.clock.forget();
    this.heardAt = performance.now();
    this.clock.hear(data.now_ms, this.heardAt);
    this.tell(false);
    this.events[kind]?.(data);
    document.documentElement.dataset.live = "yes"; // for tests: what is shown now came from the feed
  }

  look() {
    if (document.hidden) return;
    this.shared.look();
    if (performance.now() - Math.max(this.heardAt, this.shownAt) > SILENT_MS) this.tell(true);
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
