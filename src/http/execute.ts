/** Sends a command for a call and answers with what it came to. */
import type { Packed } from "../../jobs/queues.ts";
import { NoOutcome } from "../../jobs/submitter.ts";
import { renderSettled } from "../api/bookings/render.ts";
import type { Call } from "./call.ts";
import { bad } from "./respond.ts";

/** How long a client waits for an outcome; bookings wait for the payment's budget. */
export const DEADLINE_MS = 5_000;
export const BOOKING_DEADLINE_MS = 10_000;

export interface ExecuteOptions {
  readonly deadlineMs?: number;
  /** Bookings answer 504: the outcome is ambiguous and the same key will find it. */
  readonly isPayment?: boolean;
}

/** The command's answer, or 503 (504 for bookings) when no outcome is known in time. */
export async function execute(
  call: Call,
  command: Packed,
  options: ExecuteOptions = {},
): Promise<Response> {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  try {
    const submitter = call.deps.submitter;
    const bytes = call.bodyBytes + 1_000;
    return renderSettled(call, await submitter.submit(command, { deadlineMs, bytes }));
  } catch (error) {
    if (!(error instanceof NoOutcome)) throw error;
    if (options.isPayment && error.upstream === "engine") {
      const detail = "hold_id" in command ? { hold_id: command.hold_id } : {};
      return bad(call, { code: "payment_timeout", detail });
    }
    return bad(call, unavailable(error));
  }
}

/** 503 naming what is missing. */
export function unavailable({ upstream }: NoOutcome) {
  return { code: "upstream_unavailable" as const, detail: { upstream } };
}
