// The hall, a table, a match: every element with `data-table` is kept right from the feed, its clocks run on this page.
import { fill, show, tick } from "./face.js";
import { Line } from "./live.js";

const body = document.body;
const words = JSON.parse(body.dataset.words);
const list = document.getElementById("tables");
const blank = document.getElementById("table");
const form = document.getElementById("filter");
const faces = new Map();
const places = new Map([...document.querySelectorAll("[data-table]")].map((place) => [place.dataset.table, place]));
const order = new Intl.Collator(document.documentElement.lang, { numeric: true });

function placeOf(face) {
  let place = places.get(face.table);
  if (!place && list) {
    place = document.importNode(blank.content.firstElementChild, true);
    place.dataset.table = face.table;
    const after = [...list.children].find((other) => order.compare(other.dataset.table, face.table) > 0);
    list.insertBefore(place, after ?? null);
    places.set(face.table, place);
  }
  return place;
}

function take(changed) {
  for (const part of changed) {
    const face = Object.assign(faces.get(part.table) ?? {}, part);
    faces.set(face.table, face);
    const place = placeOf(face);
    if (place) show(place, face, words);
  }
}

function drop(tables) {
  for (const table of tables) {
    faces.delete(table);
    if (!list) continue;
    places.get(table)?.remove();
    places.delete(table);
  }
}

function pause(paused) {
  const place = document.getElementById("pause");
  if (!place) return;
  place.hidden = !paused;
  place.textContent = paused ? (paused.why ? fill(words.paused_why, { why: paused.why }) : words.paused) : "";
}

// ── What is looked for ──
function fits(face, wanted) {
  if (wanted.round && face.round !== wanted.round) return false;
  if (wanted.show === "calls" && !face.call) return false;
  if (wanted.show === "offline" && face.state !== "offline") return false;
  if (wanted.show === "playing" && face.state !== "playing") return false;
  const names = face.players ? [...face.players.left, ...face.players.right].join(" ").toLocaleLowerCase() : "";
  const q = wanted.q.trim().toLocaleLowerCase();
  return !q || face.table.toLocaleLowerCase() === q || names.includes(q);
}

function sift() {
  const counts = { all: faces.size, playing: 0, calls: 0, offline: 0 };
  const wanted = form ? { round: form.round?.value ?? "", show: form.show.value, q: form.q.value } : null;
  let shown = 0;
  for (const [table, face] of faces) {
    counts.playing += face.state === "playing";
    counts.calls += Boolean(face.call);
    counts.offline += face.state === "offline";
    const hidden = wanted ? !fits(face, wanted) : false;
    shown += !hidden;
    const place = places.get(table);
    if (list && place && place.hidden !== hidden) place.hidden = hidden;
  }
  for (const [name, count] of Object.entries(counts)) {
    const node = document.querySelector(`[data-count="${name}"]`);
    if (node) node.textContent = String(count);
  }
  const none = document.getElementById("none");
  if (none) none.hidden = shown > 0;
}

// ── The line ──
const line = new Line(body.dataset.live, {
  all(data) {
    const here = new Set(data.faces.map((face) => face.table));
    if (list) drop([...places.keys()].filter((table) => !here.has(table)));
    take(data.faces);
    pause(data.pause);
    sift();
    turn();
  },
  some(data) {
    take(data.faces);
    drop(data.gone);
    pause(data.pause);
    sift();
    turn();
  },
  changed: () => dispatchEvent(new Event("tableside-changed")),
});

function turn() {
  if (line.lost || !line.clock.known) return;
  const now = line.clock.now();
  for (const [table, face] of faces) {
    const place = places.get(table);
    if (place && !place.hidden) tick(place, face, now);
  }
}

setInterval(turn, 100);
if (form) {
  form.addEventListener("input", sift);
  form.addEventListener("submit", (event) => event.preventDefault());
}
