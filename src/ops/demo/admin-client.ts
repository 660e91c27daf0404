/** An operator's HTTP client, with retries under the same key. */
import { StartFailed } from "../../lib/lifecycle.ts";

export interface AdminCall {
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** JSON, or lines of it, by `contentType`. */
  readonly body: string;
  readonly contentType?: string;
}

export interface AdminClientOptions {
  /** With or without a trailing slash. */
  readonly baseUrl: string;
  readonly secret: string;
  /** Prefix of every idempotency key; visible ASCII. */
  readonly keyPrefix: string;
}

const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;

interface ApiError {
  readonly code: string;
  readonly retry_after: number | null;
  readonly detail?: object;
}

/**
 * Derived from the call and its exact body: the same write replays, a changed one is a new write
 * and never an `idempotency_conflict`.
 */
function idempotencyKey(prefix: string, call: AdminCall): string {
  const text = `${call.method} ${call.path}\n${call.body}`;
  return `${prefix}-${new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32)}`;
}

async function errorOf(response: Response): Promise<ApiError> {
  const parsed = (await response.json().catch(() => null)) as { error?: ApiError } | null;
  return parsed?.error ?? { code: "no error envelope", retry_after: null };
}

export class AdminClient {
  readonly #options: AdminClientOptions;

  constructor(options: AdminClientOptions) {
    this.#options = options;
  }

  /**
   * The `data` of the success envelope. Answers with `retry_after` are retried with the same key. A
   * replayed refusal comes from an earlier start: the call is made once more with a new key.
   *
   * @throws StartFailed for other refusals; names the call, the status, the code and the reason.
   */
  async call(call: AdminCall): Promise<unknown> {
    let prefix = this.#options.keyPrefix;
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(call, prefix);
      if (response.ok) return ((await response.json()) as { data: unknown }).data;
      const { code, retry_after, detail = {} } = await errorOf(response);
      const isReplay = response.headers.get("idempotent-replayed") === "true";
      if (isReplay && prefix === this.#options.keyPrefix) {
        prefix = `${prefix}-${crypto.randomUUID()}`;
      } else if (retry_after === null || attempt === ATTEMPTS_MAX) {
        const why = Object.keys(detail).length > 0 ? `: ${JSON.stringify(detail)}` : "";
        const answered = `answered ${response.status} ${code}${why}`;
        throw new StartFailed(`${call.method} ${call.path} ${answered}`);
      } else await Bun.sleep(retry_after * 1000);
    }
  }

  async #send(call: AdminCall, keyPrefix: string): Promise<Response> {
    const { baseUrl, secret } = this.#options;
    try {
      return await fetch(new URL(call.path, baseUrl), {
        method: call.method,
        body: call.body,
        headers: {
          authorization: `Bearer ${secret}`,
          "content-type": call.contentType ?? "application/json",
          "idempotency-key": idempotencyKey(keyPrefix, call),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (cause) {
      throw new StartFailed(`${call.method} ${call.path} got no answer`, { cause });
    }
  }
}
