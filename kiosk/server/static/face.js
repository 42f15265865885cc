// Shows a table's face in an element that the server made by the macro `table` of faces.html: same places, same words.
import { clockText, runs, timesOf, waitText } from "./clock.js";

const SIDES = ["left", "right"];

function put(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}

function hide(node, hidden) {
  if (node && node.hidden !== hidden) node.hidden = hidden;
}

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// One line on the match: round, length, game.
export function about(face, words) {
  if (!face.match) return "";
  const parts = [];
  if (face.round) parts.push(fill(words.round, { round: face.round }));
  if (face.length) parts.push(fill(words.length, { n: face.length }));
  if (face.game) parts.push(fill(words.game, { n: face.game }));
  if (face.crawford) parts.push(words.crawford);
  if (face.practice) parts.push(words.practice);
  return parts.join(" · ");
}

function won(face, side) {
  return Boolean(face.standing && ["1", "+"].includes(face.standing[side]));
}

function showSide(place, face, side, words) {
  const running = runs(face, side) && face.state !== "offline";
  place.classList.toggle("runs", running);
  place.classList.toggle("turn", !running && Boolean(face.match) && face.turn === side);
  place.classList.toggle("won", won(face, side));
  place.classList.toggle("flag", Boolean(face.flag && face.flag[side]));
  put(place.querySelector(".sign"), running ? "▶" : won(face, side) ? "✓" : "");
  put(place.querySelector(".says"), running ? words.runs : won(face, side) ? words.won : "");
  put(place.querySelector(".name"), face.players ? face.players[side].join(" / ") : "");
  put(place.querySelector(".score"), face.score ? String(face.score[side]) : "");
  const cube = place.querySelector(".cube");
  const mine = face.cube && face.cube.in_play && face.cube.owner === side;
  hide(cube, !mine);
  put(cube, mine ? String(face.cube.value) : "");
}

// Everything but what time alone changes.
export function show(place, face, words) {
  if (place.dataset.state !== face.state) place.dataset.state = face.state;
  const link = place.querySelector("a.number");
  if (link) {
    put(link, face.table);
    if (face.match) link.setAttribute("href", `/m/${encodeURIComponent(face.match)}`);
    else link.removeAttribute("href");
  }
  put(place.querySelector(".about"), about(face, words));
  const state = place.querySelector(".state");
  put(state, words.states[face.state] ?? "");
  hide(state, !words.states[face.state]);
  hide(place.querySelector(".call"), !face.call);
  if (face.call) put(place.querySelector(".calls"), face.call.coming ? words.coming : words.called);
  const middle = place.querySelector(".middle");
  const centred = face.cube && face.cube.in_play && !face.cube.owner;
  hide(middle, !centred);
  put(middle, centred ? String(face.cube.value) : "");
  for (const side of SIDES) showSide(place.querySelector(`.${side}`), face, side, words);
}

// What time alone changes.
export function tick(place, face, nowMs) {
  for (const side of SIDES) {
    const half = place.querySelector(`.${side}`);
    const { reserve, delay } = timesOf(face, side, nowMs);
    put(half.querySelector(".clock"), reserve === null ? "" : clockText(reserve));
    const left = delay ? String(Math.ceil(delay / 1000)) : "";
    put(half.querySelector(".delay"), left);
    const bar = half.querySelector("progress");
    if (bar) {
      hide(bar, !delay);
      if (delay) bar.value = Math.min(1, delay / (face.delay_ms || delay));
    }
  }
  if (face.call) put(place.querySelector(".wait"), waitText(nowMs - face.call.since_ms));
}
