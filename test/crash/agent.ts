/**
 * A careful client: every call that gets no definitive answer is sent again, unchanged and with the
 * same idempotency key, until it gets one.
 */
import type { Service } from "../support/service.ts";
import type { Party } from "./parties.ts";

export interface AgentCall {
  readonly by: Party;
  readonly path: string;
  readonly body: unknown;
  readonly key?: string;
  readonly isDelegated?: boolean;
  /** Pause before it is sent again, instead of what answers ask for. */
  readonly againMs?: number;
}

interface Action {
  readonly rel: string;
  readonly href: string;
  readonly body_hint?: Record<string, unknown>;
}

export interface Answer {
  readonly status: number;
  /** The error's code; null on success. */
  readonly code: string | null;
  readonly data: Record<string, unknown>;
  readonly actions: readonly Action[];
  readonly retryAfterMs: number;
  readonly text: string;
  /** Attempts it took. */
  readonly sends: number;
}

/** Longer than the slowest token with its 504 and the pause after it. */
const PATIENCE_MS = 60_000;
const ATTEMPT_LIMIT_MS = 15_000;
const NO_CONNECTION_PAUSE_MS = 100;

export class Agent {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * POSTs until the answer is definitive: anything below 500, and the 502 of a provider that
   * refused to answer, which ended that attempt without a charge.
   *
   * @throws Error when none comes in a minute.
   */
  async settle(call: AgentCall): Promise<Answer> {
    const startMs = performance.now();
    let last = "no connection";
    for (let sends = 1; performance.now() - startMs < PATIENCE_MS; sends += 1) {
      const answer = await this.#send(call, sends);
      if (answer && (answer.status < 500 || answer.code === "payment_provider_error")) {
        return answer;
      }
      last = answer?.text ?? "no connection";
      await Bun.sleep(call.againMs ?? answer?.retryAfterMs ?? NO_CONNECTION_PAUSE_MS);
    }
    throw new Error(`no definitive answer to ${JSON.stringify(call)}, last: ${last}`);
  }

  async #send(call: AgentCall, sends: number): Promise<Answer | null> {
    const { by, path, body, key, isDelegated } = call;
    const headers: Record<string, string> = {
      authorization: `Bearer ${by.secret}`,
      "content-type": "application/json",
    };
    if (key) headers["idempotency-key"] = key;
    if (isDelegated) headers["x-delegated-user"] = await this.#service.mintDelegation();
    try {
      const response = await fetch(this.#service.baseUrl + path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        // A connection of its own per call spreads the calls over the api processes.
        keepalive: false,
        signal: AbortSignal.timeout(ATTEMPT_LIMIT_MS),
      });
      return answerOf(response.status, await response.text(), sends);
    } catch {
      // Whether it was executed is exactly what the next attempt finds out.
      return null;
    }
  }
}

function answerOf(status: number, text: string, sends: number): Answer {
  const envelope = JSON.parse(text) as {
    readonly data?: Record<string, unknown>;
    readonly next_actions?: readonly Action[];
    readonly error?: { readonly code: string; readonly retry_after: number | null };
  };
  return {
    ...{ status, text, sends },
    code: envelope.error?.code ?? null,
    data: envelope.data ?? {},
    actions: envelope.next_actions ?? [],
    retryAfterMs: (envelope.error?.retry_after ?? 1) * 1000,
  };
}

/** The ready body that an answer offers for its next step; null when it does not. */
export function hintOf(answer: Answer, rel: string): Record<string, unknown> | null {
  const hint = answer.actions.find((action) => action.rel === rel)?.body_hint;
  if (!hint) return null;
  // The load has keys of its own, which it tells its faults by.
  const { idempotency_key: _offered, ...body } = hint;
  return body;
}
