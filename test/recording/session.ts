/** Sends requests one after the other and keeps each with its normalised answer. */
import { Normaliser, OWN } from "./normalise.ts";
import type { Tree } from "./tree.ts";

/** One request and its answer as a line of the recording. */
export interface Exchange {
  readonly index: number;
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly request: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Who calls: an agent's id and one of its secrets. */
export interface Actor {
  readonly agent_id: string;
  readonly secret: string;
}

/** How a request differs from a bare one. */
export interface Ask {
  /** Whose secret; none is sent without it. */
  readonly as?: Actor | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer holds nothing that changes from run to run. */
  readonly isFixed?: boolean;
  /** What is kept of the answer's text. */
  readonly keep?: (text: string) => string;
}

/** The answer as the scenario goes on with it; what is not there reads as `{}` or "missing". */
export class Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The body as JSON; an empty object when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the version under test answers
  get json(): any {
    try {
      return JSON.parse(this.text) ?? {};
    } catch {
      return {};
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever the version under test answers
  get data(): any {
    return this.json.data ?? {};
  }
}

/** Longer than any answer may take. */
const ANSWER_LIMIT_MS = 20_000;
const SETTLE_LIMIT_MS = 20_000;
const BODY_SHOWN_MAX = 4_000;
/** Of each connection, or of the moment. */
const UNKEPT = new Set(["date"]);
/** Sent headers that say nothing about the case at hand. */
const UNSHOWN = new Set(["traceparent", "x-forwarded-for"]);

export class Session {
  readonly tree: Tree;
  readonly #write: (exchange: Exchange) => void;
  readonly #normaliser = new Normaliser();
  #index = 0;
  #keys = 0;

  constructor(tree: Tree, write: (exchange: Exchange) => void) {
    this.tree = tree;
    this.#write = write;
  }

  /** How many requests were recorded. */
  get count(): number {
    return this.#index;
  }

  /** An idempotency key that no other call of this recording has. */
  newKey(): string {
    this.#keys += 1;
    return `key-${this.#keys}`;
  }

  /** Header of a fresh idempotency key. */
  keyed(): Record<string, string> {
    return { "idempotency-key": this.newKey() };
  }

  /** Sends `METHOD /path` and records what comes back. Never throws for an answer. */
  async ask(label: string, call: string, ask: Ask = {}): Promise<Reply> {
    const index = this.#index;
    this.#index += 1;
    const [method = "GET", path = "/"] = call.split(/ (.*)/s);
    const sent = sentBody(ask);
    const headers = { ...this.#ownHeaders(index, ask, sent), ...ask.headers };
    const reply = await this.#send(method, path, { headers, body: sent });
    nextMillisecond();
    const body = ask.keep ? ask.keep(reply.text) : reply.text;
    const known = ask.isFixed ? body : this.#normaliser.text(body);
    const isChanged = known !== reply.text;
    this.#write({
      index,
      label,
      method,
      path: this.#normaliser.text(path),
      sent: this.#shown(headers),
      request: sent === null ? null : shorten(this.#normaliser.text(asText(sent))),
      status: reply.status,
      headers: this.#answerHeaders(reply, isChanged),
      body: known,
    });
    return reply;
  }

  /** Sends one request that is not recorded. */
  async ping(call: string, headers: Record<string, string>, body: string | null): Promise<void> {
    const [method = "GET", path = "/"] = call.split(/ (.*)/s);
    await this.#send(method, path, { headers, body });
  }

  /** Asks again and again, unrecorded, until the answer is as wanted or the time is over. */
  async settle(call: string, as: Actor, isSo: (reply: Reply) => boolean): Promise<void> {
    const [method = "GET", path = "/"] = call.split(/ (.*)/s);
    const headers = { authorization: `Bearer ${as.secret}` };
    const deadlineMs = performance.now() + SETTLE_LIMIT_MS;
    while (performance.now() < deadlineMs) {
      if (isSo(await this.#send(method, path, { headers, body: null }))) return;
      await Bun.sleep(20);
    }
  }

  /** Trace and address of its own, so that nothing is shared but what is meant to be. */
  #ownHeaders(index: number, { as }: Ask, sent: unknown): Record<string, string> {
    const trace = OWN + index.toString(16).padStart(28, "0");
    return {
      traceparent: `00-${trace}-${OWN}${"0".repeat(11)}1-01`,
      "x-forwarded-for": `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      ...(as ? { authorization: `Bearer ${as.secret}` } : {}),
      ...(sent === null ? {} : { "content-type": "application/json" }),
    };
  }

  async #send(
    method: string,
    path: string,
    { headers, body }: { headers: Record<string, string>; body: string | Uint8Array | null },
  ): Promise<Reply> {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const given = Object.entries(headers).filter(([, value]) => value !== "");
    try {
      const response = await fetch(this.tree.address + path, {
        method,
        headers: given as [string, string][],
        body: body as string | null,
        signal,
        redirect: "manual",
      });
      return new Reply(response.status, response.headers, await response.text());
    } catch (error) {
      return new Reply(0, new Headers(), `no answer: ${(error as Error).name}`);
    }
  }

  #shown(headers: Readonly<Record<string, string>>): Record<string, string> {
    const shown = Object.entries(headers).filter(([name]) => !UNSHOWN.has(name));
    return Object.fromEntries(
      shown.map(([name, value]) => [name, shorten(this.#normaliser.text(value))]),
    );
  }

  /** All headers but the date. What follows from the bytes of a changed body is told apart. */
  #answerHeaders({ headers, text, status }: Reply, isChanged: boolean): Record<string, string> {
    const out: Record<string, string> = {};
    for (const [name, value] of [...headers].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (UNKEPT.has(name)) continue;
      out[name] = this.#headerValue(name, value, { text, status, isChanged });
    }
    return out;
  }

  #headerValue(
    name: string,
    value: string,
    { text, status, isChanged }: Pick<Reply, "text" | "status"> & { readonly isChanged: boolean },
  ): string {
    const normaliser = this.#normaliser;
    switch (name) {
      case "etag":
        return isChanged ? normaliser.derivedTag(value) : normaliser.text(value);
      case "content-length":
        return Number(value) === Buffer.byteLength(text) ? "<of the body>" : value;
      case "retry-after":
        return status === 429 ? "<s>" : value;
      case "ratelimit":
        return value.replace(/\bt=\d+/, "t=<s>").replace(/\br=\d+/, "r=<n>");
      default:
        return normaliser.text(value);
    }
  }
}

/** Two answers of one millisecond can hold the same hash, and those of another run would not. */
function nextMillisecond(): void {
  const nowMs = Date.now();
  while (Date.now() === nowMs);
}

function sentBody({ body, raw }: Ask): string | Uint8Array | null {
  if (raw !== undefined) return raw;
  return body === undefined ? null : JSON.stringify(body);
}

function asText(sent: string | Uint8Array): string {
  return typeof sent === "string" ? sent : Buffer.from(sent).toString("latin1");
}

function shorten(text: string): string {
  return text.length <= BODY_SHOWN_MAX
    ? text
    : `${text.slice(0, BODY_SHOWN_MAX)}… (${text.length} characters)`;
}
