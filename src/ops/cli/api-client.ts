/** The HTTP client of the commands, with retries. */
import type { Access } from "./access.ts";
import { type ApiError, ApiRefused, CommandFailed } from "./failures.ts";

type Fields = Readonly<Record<string, unknown>>;

interface NextCall {
  readonly rel: string;
  readonly method: string;
  readonly href: string;
}

/** A success: its `data` and its next actions. */
export interface ApiAnswer<T> {
  readonly data: T;
  readonly next_actions: readonly NextCall[];
}

/** A page of a list. */
export interface ApiPage<T> {
  readonly items: readonly T[];
}

/** Longer than a long poll. */
const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;
/** Longer waits are left to the operator. */
const WAIT_S_MAX = 60;
/** Codes after which the same call with the same key is sent again. */
const RETRIED: readonly string[] = ["rate_limited", "upstream_unavailable", "internal_error"];

export class ApiClient {
  readonly #access: Access;
  readonly #signal: AbortSignal;

  /** `signal` aborts calls and the waits between them. */
  constructor(access: Access, signal: AbortSignal) {
    this.#access = access;
    this.#signal = signal;
  }

  get<T>(path: string): Promise<ApiAnswer<T>> {
    return this.#withRetries<T>("GET", path, {});
  }

  /** A write with its own idempotency key, so that retries execute it once. */
  post<T>(path: string, body: Fields = {}): Promise<ApiAnswer<T>> {
    return this.#withRetries<T>("POST", path, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    });
  }

  /** The items of a list, page after page. Each page links the next one at the same path. */
  async *items<T>(path: string): AsyncGenerator<T> {
    let next: string | undefined = path;
    while (next !== undefined) {
      const page: ApiAnswer<ApiPage<T>> = await this.get(next);
      yield* page.data.items;
      const here: string = next;
      next = nextPage(path, page.next_actions);
      // The last page of a growing list links itself; an empty page of a filter links further.
      if (page.data.items.length === 0 && next === here) return;
    }
  }

  /**
   * The response to a GET, for streams.
   *
   * @throws ApiRefused, or CommandFailed without an answer.
   */
  open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send("GET", path, { headers }, this.#signal);
  }

  async #withRetries<T>(method: string, path: string, init: RequestInit): Promise<ApiAnswer<T>> {
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
      // A redirect could send the secret elsewhere.
      const how = { ...init, method, headers, signal, redirect: "manual" } as const;
      response = await fetch(`${baseUrl}${path}`, how);
    } catch (cause) {
      this.#signal.throwIfAborted();
      throw new CommandFailed(`${baseUrl} ${connectionFault(cause)}`, { cause });
    }
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error) throw new ApiRefused(`${method} ${path}`, response.status, error);
    throw new CommandFailed(
      `${baseUrl} answered ${method} ${path} with ${response.status} and no error code: ` +
        "check INNKEEP_URL",
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

/** Seconds until the next try; null to give up. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof ApiRefused) || !RETRIED.includes(error.error.code)) return null;
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

function connectionFault(cause: unknown): string {
  const { name, code } = cause as { readonly name?: string; readonly code?: string };
  if (name === "TimeoutError") return `did not answer within ${TIMEOUT_MS / 1000} s`;
  if (code === "ConnectionRefused" || code === "ECONNREFUSED") {
    return "refuses the connection: start the service, or check INNKEEP_URL";
  }
  return `cannot be reached (${code ?? String(cause)}): check INNKEEP_URL`;
}
