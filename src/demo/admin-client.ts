/** One operator's calls to the HTTP API, as a careful client makes them. */

export interface AdminCall {
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** JSON text, or lines of it when `contentType` says so. */
  readonly body: string;
  readonly contentType?: string;
}

export interface AdminClientOptions {
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string;
  readonly secret: string;
  /** First part of every idempotency key; visible ASCII. */
  readonly keyPrefix: string;
}

const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;

interface ApiError {
  readonly code: string;
  readonly retry_after: number | null;
}

/**
 * The key names the call and its exact body: the same write replays, a changed one is a new write
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
   * The `data` of the success envelope. Answers that carry `retry_after` are repeated with the same
   * key; any other refusal throws an error that names the call, the status and the code.
   */
  async call(call: AdminCall): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(call);
      if (response.ok) return ((await response.json()) as { data: unknown }).data;
      const { code, retry_after } = await errorOf(response);
      if (retry_after === null || attempt === ATTEMPTS_MAX) {
        throw new Error(`${call.method} ${call.path} answered ${response.status} ${code}`);
      }
      await Bun.sleep(retry_after * 1000);
    }
  }

  async #send(call: AdminCall): Promise<Response> {
    const { baseUrl, secret, keyPrefix } = this.#options;
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
      throw new Error(`${call.method} ${call.path} got no answer`, { cause });
    }
  }
}
