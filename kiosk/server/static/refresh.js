// Pages whose contents the server makes: when it says that something has changed, the page is fetched again and every element with
// `data-part` is exchanged for the new one of the same name. A part in which somebody types is left until they are done.
// Elements with `data-since` (milliseconds of the house's clock) count up how long something has waited.
import { waitText } from "./clock.js";
import { Line } from "./live.js";

const APART_MS = 400;
const SEEN_MS = 3000; // a page that was shown just now is looked at: it does not wait
const made = new WeakMap(); // each part as the server made it, whatever was typed or opened in it since
let running = false;
let asked = false;

function busy(part) {
  const at = document.activeElement;
  return part.contains(at) && at.matches("input:not([type=hidden]), select, textarea") && !at.matches("[type=submit]");
}

// What stays the same of a control when its part is made anew: a form of a table or a match has an action of its own.
function like(node) {
  return [node.tagName, node.id, node.name, node.value, node.getAttribute("href"), node.form?.getAttribute("action"), node.form ? "" : node.innerText].join("|");
}

function controls(part, wanted) {
  return [...part.querySelectorAll("a, button, input, select, textarea, summary")].filter((node) => like(node) === wanted);
}

function place(part, node) {
  if (!part.contains(node)) return null;
  const wanted = like(node);
  return { wanted, n: controls(part, wanted).indexOf(node) };
}

function exchange(fresh) {
  let left = false;
  for (const part of document.querySelectorAll("[data-part]")) {
    const next = fresh.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
    if (!next || next.innerHTML === made.get(part)) continue;
    if (busy(part)) {
      left = true;
      continue;
    }
    const focused = place(part, document.activeElement);
    const opened = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    const now = document.importNode(next, true);
    made.set(now, next.innerHTML);
    part.replaceWith(now);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
    if (focused) controls(now, focused.wanted)[focused.n]?.focus({ preventScroll: true });
  }
  return left;
}

export async function refresh() {
  asked = true;
  if (running) return;
  running = true;
  while (asked) {
    asked = false;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
      if (answer.redirected && new URL(answer.url).pathname === "/login") location.reload();
      else if (answer.ok && exchange(new DOMParser().parseFromString(await answer.text(), "text/html"))) addEventListener("focusout", refresh, { once: true });
    } catch {
      // the line says that the server is gone, and asks again when it is back
    }
    await new Promise((go) => setTimeout(go, APART_MS));
  }
  running = false;
}

// Pages that hundreds read do not all ask in the same instant: each waits some part of `data-spread` milliseconds, and what changes meanwhile
// comes with the same answer.
const most = Number(document.body.dataset.spread || 0);
let waiting = null;

function ask(urgent) {
  if (most && !urgent) {
    waiting ??= setTimeout(() => ask(true), Math.random() * most);
    return;
  }
  clearTimeout(waiting);
  waiting = null;
  refresh();
}

// On a phone a line of links is wider than the screen: it begins where the page is that it leads to.
for (const link of document.querySelectorAll(".rooms [aria-current], .tabs [aria-current]")) {
  const line = link.parentElement;
  line.scrollLeft = link.offsetLeft - line.offsetLeft - (line.clientWidth - link.offsetWidth) / 2;
}
for (const part of document.querySelectorAll("[data-part]")) made.set(part, part.innerHTML);
const body = document.body;
if (body.dataset.live && !body.dataset.words) {
  const line = new Line(body.dataset.live, { all: () => ask(performance.now() - line.shownAt < SEEN_MS), changed: () => ask(false) });
  setInterval(() => {
    if (!line.clock.known || line.lost) return;
    for (const node of document.querySelectorAll("[data-since]")) {
      const text = waitText(line.clock.now() - Number(node.dataset.since));
      if (node.textContent !== text) node.textContent = text;
    }
  }, 250);
}
