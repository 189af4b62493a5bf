// Turns a job's events into spans of time: waits, attempts, tools. Knows nothing of the page.

const ENDS = new Set(["job.completed", "job.incomplete", "job.failed", "job.cancelled", "job.expired"]);
const MOST_TEXT = 1_000_000;

export const isEnd = (type) => ENDS.has(type);

/** What a job did, as far as its events tell. */
export class Course {
  constructor() {
    this.spans = [];
    this.start = null;
    this.end = null;
    this.text = "";
    this.cut = false;
    this.firstLeftOut = null;
    this.deltas = [];
    this.open = new Map();
  }

  take({ id, type, data }) {
    const at = Date.parse(data.created_at);
    this.start ??= at;
    switch (type) {
      case "job.queued":
      case "job.waiting":
      case "job.requires_action":
        this.begin("wait", at, waiting(type, data));
        break;
      case "job.in_progress":
        this.finish("wait", at);
        break;
      case "attempt.started":
        this.finish("wait", at);
        this.begin(`attempt ${data.attempt.number}`, at, attempt(data.attempt));
        break;
      case "attempt.ended":
        this.finish(`attempt ${data.attempt.number}`, at, attempt(data.attempt));
        break;
      case "tool.started":
        this.finish("wait", at);
        this.begin(`tool ${data.tool_call?.id}`, at, tool(data.tool_call));
        break;
      case "tool.ended":
        this.finish(`tool ${data.tool_call?.id}`, at, tool(data.tool_call));
        break;
      case "output.delta":
        this.add(id, String(data.text ?? ""));
        break;
      case "attempt.restarted":
        this.discard(data.discard_from);
        break;
      default:
        if (isEnd(type)) {
          [...this.open.keys()].forEach((key) => this.finish(key, at));
          this.end = at;
        }
    }
  }

  begin(key, at, shown) {
    this.finish(key, at);
    const span = { key, from: at, to: null, ...shown };
    this.spans.push(span);
    this.open.set(key, span);
  }

  finish(key, at, shown = {}) {
    const span = this.open.get(key);
    if (span) {
      Object.assign(span, shown, { to: at });
      this.open.delete(key);
    }
  }

  /** Once a piece did not fit none that follows is taken, however small: it would leave a hole. */
  add(id, piece) {
    if (this.cut) {
      return;
    }
    if (this.text.length + piece.length > MOST_TEXT) {
      this.cut = true;
      this.firstLeftOut = id;
      return;
    }
    this.deltas.push({ id, from: this.text.length });
    this.text += piece;
  }

  discard(from) {
    this.cut &&= from > this.firstLeftOut;
    const first = this.deltas.findIndex((delta) => delta.id >= from);
    if (first >= 0) {
      this.text = this.text.slice(0, this.deltas[first].from);
      this.deltas.length = first;
    }
  }
}

function waiting(type, { status_reason: reason = {} }) {
  const what = type === "job.queued" ? "Queued" : type === "job.waiting" ? "Waiting" : "Needs somebody";
  return { kind: "wait", label: what, detail: words(reason.code), until: reason.until };
}

function attempt({ number, turn, state, http_status: status, error_code: code, billed }) {
  const told = [state, status, code && words(code), billed === "unknown" ? "billed: unknown" : null];
  return {
    kind: "attempt",
    state,
    label: `Attempt ${number}`,
    detail: [`turn ${turn}`, ...told.filter(Boolean)].join(" · "),
  };
}

function tool(call = {}) {
  return {
    kind: "tool",
    state: call.state,
    label: `Tool ${call.name ?? ""}`,
    detail: [call.turn && `turn ${call.turn}`, call.state && words(call.state)].filter(Boolean).join(" · "),
  };
}

export const words = (code) => String(code ?? "").replaceAll("_", " ");
