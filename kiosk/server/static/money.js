// A payout table while it is typed: its sum, and what each place would have. What counts is worked out by the server, in the same way.
const field = document.getElementById("f-shares");
const live = document.getElementById("live");
const table = document.getElementById("live-table");

const say = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
const percent = (share) => String(share / 100);

/** Shares in hundredths of a percent, or the part that is none. */
function read(text) {
  const found = [];
  for (const part of text.split(/[;\n]|,(?=\s)/).map((each) => each.trim()).filter(Boolean)) {
    const both = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?(?:\s*[x×*]\s*(\d{1,3}))?$/.exec(part);
    if (!both) return { wrong: part };
    const share = Number(both[1]) * 100 + Number((both[2] ?? "").padEnd(2, "0"));
    for (let n = Number(both[3] ?? 1); n > 0 && found.length <= 256; n -= 1) found.push(share);
  }
  return { found };
}

/** What each place has of a fund: rounded down to the unit, the rest to the first. */
function amounts(fund, shares, unit) {
  const each = shares.map((share) => ((fund * BigInt(share)) / 10000n / unit) * unit);
  if (each.length) each[0] += fund - each.reduce((sum, one) => sum + one, 0n);
  return each;
}

function told(amount) {
  const decimals = Number(field.dataset.decimals);
  const digits = String(amount).padStart(decimals + 1, "0");
  const text = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
  return `${text} ${field.dataset.code}`;
}

function cell(row, name, text) {
  const made = row.appendChild(document.createElement(name));
  made.textContent = text;
  if (name === "td") made.className = "number";
}

function show() {
  const { found, wrong } = read(field.value);
  const sum = (found ?? []).reduce((all, share) => all + share, 0);
  const whole = !wrong && sum === 10000;
  live.hidden = !wrong && !found.length;
  live.className = `live ${whole ? "good" : "bad"}`;
  if (wrong) live.textContent = say(field.dataset.wrong, { text: wrong.slice(0, 40) });
  else if (whole) live.textContent = say(field.dataset.sum, { sum: 100 });
  else live.textContent = say(sum < 10000 ? field.dataset.missing : field.dataset.over, { sum: percent(Math.abs(10000 - sum)) });
  table.hidden = !whole;
  if (!whole) return;
  const unit = BigInt(field.dataset.unit);
  const both = [field.dataset.fund, field.dataset.expected].map((fund) => amounts(BigInt(fund), found, unit));
  const body = table.tBodies[0];
  body.replaceChildren();
  let from = 0;
  found.forEach((share, n) => {
    const same = n + 1 < found.length && found[n + 1] === share && both.every((each) => each[n] === each[n + 1]);
    if (same) return;
    const row = body.insertRow();
    const place = row.appendChild(document.createElement("th"));
    place.scope = "row";
    place.textContent = from === n ? String(n + 1) : `${from + 1}–${n + 1}`;
    cell(row, "td", percent(share));
    for (const each of both) cell(row, "td", told(each[n]));
    from = n + 1;
  });
}

for (const preset of document.querySelectorAll("[data-shares]")) {
  preset.hidden = false;
  preset.addEventListener("click", () => {
    field.value = preset.dataset.shares;
    show();
  });
}
field.addEventListener("input", show);
show();
