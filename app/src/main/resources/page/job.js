// The page of one job. Whatever a model, a tool or a caller wrote goes into the page as text, never as markup.

import { Course, isEnd, words } from "./course.js";
import { events } from "./events.js";

const MOST_ROWS = 500;
const MOST_TEXT = 1_000_000;
const REDRAW_MS = 250;
const RETRY_MS = 1_000;
const RETRY_MOST_MS = 15_000;
const STEPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400];
const MOST_TICKS = 7;

const id = decodeURIComponent(location.pathname.split("/").pop());
const self = new URL(`../v1/jobs/${encodeURIComponent(id)}`, location.href);
const $ = (name) => document.getElementById(name);

let apiKey = "";
let course = new Course();
let last = 0;
let finished = false;
let skew = 0;
const rows = new Map();

// ---- reading -------------------------------------------------------------------------------------

function ask(url, headers = {}) {
  const sent = apiKey ? { ...headers, Authorization: `Bearer ${apiKey}` } : headers;
  return fetch(url, { headers: sent, cache: "no-store", credentials: "omit", redirect: "error" });
}

async function run() {
  let rest = RETRY_MS;
  while (!finished) {
    try {
      if (await step()) {
        rest = RETRY_MS;
        continue;
      }
      return;
    } catch {
      live("connection lost, trying again");
      await pause(rest);
      rest = Math.min(rest * 2, RETRY_MOST_MS);
    }
  }
}

/** One look at the job and its events; false once there is nothing more to read. */
async function step() {
  const response = await ask(self, { Accept: "application/json" });
  if (response.status === 401) {
    await askForKey();
    return true;
  }
  if (response.status === 404 || response.status === 400) {
    note("There is no such job here, or it is another tenant's.");
    return false;
  }
  if (!response.ok) {
    throw new Error("not now");
  }
  skew = skewOf(response);
  show(await response.json());
  await follow();
  return true;
}

async function follow() {
  const headers = { Accept: "text/event-stream", ...(last ? { "Last-Event-ID": String(last) } : {}) };
  const response = await ask(new URL(`${self.pathname}/events`, self), headers);
  if (response.status === 204) {
    await finish();
    return;
  }
  if (!response.ok) {
    throw new Error("not now");
  }
  live("live");
  for await (const event of events(response)) {
    take(event);
    if (isEnd(event.type)) {
      await finish();
      return;
    }
  }
  if (!finished) {
    throw new Error("the stream ended early");
  }
}

function take(event) {
  last = event.id;
  course.take(event);
  addRow(event);
  const { status, status_reason: reason } = event.data;
  if (status) {
    showStatus(status, reason);
  }
  draw();
}

/** The whole answer is in the job, whatever was streamed. */
async function finish() {
  const response = await ask(self, { Accept: "application/json" });
  if (!response.ok) {
    throw new Error("not now");
  }
  finished = true;
  show(await response.json());
  live("");
  draw();
}

function skewOf(response) {
  const date = Date.parse(response.headers.get("Date") ?? "");
  return Number.isNaN(date) || Math.abs(date - Date.now()) < 2_000 ? 0 : date - Date.now();
}

function askForKey() {
  const form = $("ask");
  if (apiKey) {
    $("why").textContent = "That key is not in force. Try another.";
  }
  form.hidden = false;
  $("job").hidden = true;
  $("key").focus();
  return new Promise((resolve) => {
    form.onsubmit = (submit) => {
      submit.preventDefault();
      apiKey = $("key").value.trim();
      $("key").value = "";
      form.hidden = true;
      resolve();
    };
  });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// ---- showing -------------------------------------------------------------------------------------

function show(job) {
  $("job").hidden = false;
  $("note").hidden = true;
  $("model").textContent = visible(job.model);
  showStatus(job.status, job.status_reason);
  const facts = {
    Created: clock(job.created_at),
    Took: job.ended_at ? span(Date.parse(job.ended_at) - Date.parse(job.created_at)) : null,
    Deadline: job.ended_at ? null : clock(job.deadline_at),
    "Idempotency key": job.idempotency_key,
    Attempts: job.attempts_total,
    "Tokens in": job.usage?.input + job.usage?.input_cached + job.usage?.cache_write || null,
    "Tokens out": job.usage?.output || null,
    ...Object.fromEntries(Object.entries(job.metadata ?? {}).map(([name, value]) => [`metadata.${name}`, value])),
  };
  $("facts").replaceChildren(
    ...Object.entries(facts)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => element("div", "fact", element("dt", "", name), element("dd", "", String(value)))),
  );
  showError(job);
  if (job.output_text !== null && job.output_text !== undefined) {
    course.text = job.output_text.slice(0, MOST_TEXT);
    course.cut = job.output_text.length > MOST_TEXT;
  }
  draw();
}

function showStatus(status, reason) {
  $("status").textContent = words(status);
  $("status").dataset.status = status;
  const until = reason?.until ? `until ${clock(reason.until)}` : "";
  const because = reason?.detail ?? words(reason?.code);
  $("reason").textContent = visible([because, until].filter(Boolean).join(", "));
  document.title = `${words(status)} · Job ${id.slice(0, 8)} · Coatcheck`;
}

function showError({ error, erased_at: erased }) {
  $("error").hidden = !error;
  if (error) {
    $("error-code").textContent = error.code;
    $("error-message").textContent = visible(error.message);
  }
  if (erased) {
    note(`The content of this job was erased at ${clock(erased)}.`);
  }
}

function draw() {
  drawText();
  const now = finished && course.end ? course.end : Date.now() + skew;
  const start = course.start ?? now;
  const most = Math.max(now - start, 100);
  drawAxis(most);
  for (const one of course.spans) {
    drawSpan(one, start, most, now);
  }
}

function drawAxis(most) {
  const step = STEPS_S.find((seconds) => (seconds * 1000 * MOST_TICKS) >= most) ?? STEPS_S.at(-1);
  const ticks = [];
  for (let at = 0; at <= most && ticks.length <= MOST_TICKS; at += step * 1000) {
    const tick = element("span", "tick", at === 0 ? "0" : span(at));
    tick.style.left = `${(at / most) * 100}%`;
    ticks.push(tick);
  }
  $("axis").replaceChildren(...ticks);
}

function drawSpan(one, start, most, now) {
  let row = rows.get(one);
  if (!row) {
    row = newRow();
    rows.set(one, row);
    $("timeline").append(row.item);
  }
  const end = one.to ?? Math.max(now, one.from);
  row.item.dataset.kind = one.kind;
  row.item.dataset.state = one.state ?? "";
  row.item.dataset.open = one.to === null;
  put(row.label, one.label);
  put(row.detail, one.detail + (one.until && one.to === null ? ` · until ${clock(one.until)}` : ""));
  put(row.length, span(end - one.from));
  row.bar.style.left = `${((one.from - start) / most) * 100}%`;
  row.bar.style.width = `${(Math.max(end - one.from, 0) / most) * 100}%`;
}

function newRow() {
  const label = element("span", "label");
  const detail = element("span", "detail");
  const length = element("span", "length");
  const bar = element("span", "bar");
  const track = element("span", "track", bar);
  track.setAttribute("aria-hidden", "true");
  const item = element("li", "row", element("span", "what", label, detail), track, length);
  return { item, label, detail, length, bar };
}

/** One text node, which grows; rewritten only where it no longer begins as before. */
let shownText = "";
function drawText() {
  $("cut").hidden = !course.cut;
  $("output").hidden = course.text === "";
  if (course.text === shownText) {
    return;
  }
  const pre = $("text");
  if (shownText !== "" && course.text.startsWith(shownText)) {
    pre.append(visible(course.text.slice(shownText.length)));
  } else {
    pre.textContent = visible(course.text);
  }
  shownText = course.text;
}

function addRow({ id: number, type, data }) {
  const { type: _type, sequence_number: _number, created_at: at, ...rest } = data;
  const said = visible(JSON.stringify(rest).slice(0, 300));
  const row = element("tr", "");
  row.append(
    element("td", "number", String(number)),
    element("td", "", clock(at)),
    element("td", "", element("code", "", type)),
    element("td", "", element("code", "said", said === "{}" ? "" : said)),
  );
  $("events").append(row);
  if ($("events").childElementCount > MOST_ROWS) {
    $("events").firstElementChild.remove();
  }
  $("count").textContent = `(${number})`;
}

function note(text) {
  $("note").textContent = text;
  $("note").hidden = false;
}

function live(text) {
  $("live").textContent = text;
  $("live").dataset.on = text === "live";
}

// ---- small things --------------------------------------------------------------------------------

/** An element with children; a string becomes a text node. */
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  made.append(...children);
  return made;
}

function put(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Control characters and marks that turn the direction of text, made visible. */
function visible(text) {
  return String(text ?? "")
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (hidden) => {
      const code = hidden.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
    });
}

/** The time of day, with the day unless that is today. */
function clock(time) {
  const at = new Date(time);
  const day = at.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "short" };
  return at.toLocaleString([], { ...day, hour12: false, hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

function span(ms) {
  if (ms < 1_000) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 60_000) {
    return `${Number((ms / 1_000).toFixed(1))} s`;
  }
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) {
    const seconds = Math.round((ms % 60_000) / 1_000);
    return seconds ? `${minutes} min ${seconds} s` : `${minutes} min`;
  }
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

$("id").textContent = visible(id);
setInterval(() => finished || draw(), REDRAW_MS);
run();
