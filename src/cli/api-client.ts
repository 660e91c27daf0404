/** One operator's calls to the HTTP API, as the command lines make them. */
import type { Access } from "./access.ts";
import { type ApiError, ApiRefused, CommandFailed } from "./failures.ts";

type Fields = Readonly<Record<string, unknown>>;

interface NextCall {
  readonly rel: string;
  readonly method: string;
  readonly href: string;
}

/** A success: its `data`, and what can be called next. */
export interface ApiAnswer<T> {
  readonly data: T;
  readonly next_actions: readonly NextCall[];
}

/** A page of a list. */
export interface ApiPage<T> {
  readonly items: readonly T[];
}

/** Long enough for a long poll, short enough to tell that a service hangs. */
const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;
/** Nobody sits through longer waits at a shell. */
const WAIT_S_MAX = 60;
/** Passing, whatever was asked: the same call with the same key is right. */
const PASSING: readonly string[] = ["rate_limited", "upstream_unavailable", "internal_error"];

export class ApiClient {
  readonly #access: Access;
  readonly #signal: AbortSignal;

  /** `signal` ends the calls under way and the waits between them. */
  constructor(access: Access, signal: AbortSignal) {
    this.#access = access;
    this.#signal = signal;
  }

  get<T>(path: string): Promise<ApiAnswer<T>> {
    return this.#repeated<T>("GET", path, {});
  }

  /** A write under a key of its own, so that it happens once however often it is sent. */
  post<T>(path: string, body: Fields = {}): Promise<ApiAnswer<T>> {
    return this.#repeated<T>("POST", path, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    });
  }

  /** The items of a list, page after page: each page leads to the next one at the same path. */
  async *items<T>(path: string): AsyncGenerator<T> {
    let next: string | undefined = path;
    while (next !== undefined) {
      const page: ApiAnswer<ApiPage<T>> = await this.get(next);
      yield* page.data.items;
      const here: string = next;
      next = nextPage(path, page.next_actions);
      // A list that can grow leads from its end to where it is; a page of what is rare, further.
      if (page.data.items.length === 0 && next === here) return;
    }
  }

  /**
   * The answer to a GET as it comes, for streams.
   *
   * @throws ApiRefused, or CommandFailed when nobody answers.
   */
  open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send("GET", path, { headers }, this.#signal);
  }

  async #repeated<T>(method: string, path: string, init: RequestInit): Promise<ApiAnswer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(TIMEOUT_MS)]);
        const response = await this.#send(method, path, init, signal);
        return (await response.json()) as ApiAnswer<T>;
      } catch (error) {
        const waitS = attempt === ATTEMPTS_MAX ? null : waitOf(error);
        if (waitS === null) throw error;
        await this.#pause(waitS * 1000);
      }
    }
  }

  async #send(
    method: string,
    path: string,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Response> {
    const { baseUrl, secret } = this.#access;
    const headers = { ...init.headers, authorization: `Bearer ${secret}` };
    let response: Response;
    try {
      // A redirect would lead the secret elsewhere.
      const how = { ...init, method, headers, signal, redirect: "manual" } as const;
      response = await fetch(`${baseUrl}${path}`, how);
    } catch (cause) {
      this.#signal.throwIfAborted();
      throw new CommandFailed(`${baseUrl} ${unreached(cause)}`, { cause });
    }
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error) throw new ApiRefused(`${method} ${path}`, response.status, error);
    throw new CommandFailed(
      `${baseUrl} answered ${method} ${path} with ${response.status}, not as Innkeep does: ` +
        "is INNKEEP_URL right?",
    );
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    this.#signal.throwIfAborted();
  }
}

/** Seconds until the call is worth another try; null when it is not. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof ApiRefused) || !PASSING.includes(error.error.code)) return null;
  const { retry_after } = error.error;
  return retry_after !== null && retry_after <= WAIT_S_MAX ? retry_after : null;
}

function nextPage(path: string, actions: readonly NextCall[]): string | undefined {
  const at = path.split("?")[0];
  return actions.find(({ rel, href }) => rel === "get" && href.split("?")[0] === at)?.href;
}

async function errorOf(response: Response): Promise<ApiError | null> {
  const body = (await response.json().catch(() => null)) as { readonly error?: ApiError } | null;
  return typeof body?.error?.code === "string" ? body.error : null;
}

function unreached(cause: unknown): string {
  const { name, code } = cause as { readonly name?: string; readonly code?: string };
  if (name === "TimeoutError") return `has not answered for ${TIMEOUT_MS / 1000} s`;
  if (code === "ConnectionRefused" || code === "ECONNREFUSED") {
    return "refuses the connection: is the service running, and is INNKEEP_URL right?";
  }
  return `cannot be reached (${code ?? String(cause)}): is INNKEEP_URL right?`;
}
