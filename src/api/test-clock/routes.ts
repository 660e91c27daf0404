/** `/v1/admin/test-clock`: moves the time of the tenant's test mode. */
import { type Static, Type } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, plain } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { Instant, named, Seq } from "../../http/schema/answer-parts.ts";
import { BodyKey, closed, describedAs, integer } from "../../http/schema/request-parts.ts";
import { type Body, compile } from "../../http/validate.ts";

const ADVANCE_MAX_S = 31_536_000;

const Offset = Type.Integer({ description: "Seconds that test mode is ahead of real time." });
const TestClock = named("TestClock", "What time it is in the tenant's test mode.", {
  now: Instant,
  offset_s: Offset,
});
const MovedTestClock = named("MovedTestClock", "The time after a move of the test clock.", {
  now: Instant,
  offset_s: Offset,
  expired: Type.Integer({ description: "Holds that expired by the move." }),
  seq: Seq,
});

const MoveBody = closed({
  advance_s: Type.Optional(
    describedAs(integer(1, ADVANCE_MAX_S), `whole seconds to advance, 1 to ${ADVANCE_MAX_S}`),
  ),
  reset: Type.Optional(Type.Literal(true, { description: "true: back to real time" })),
  idempotency_key: BodyKey,
});
const check = compile(MoveBody);
const expected = `whole seconds, 1 to ${ADVANCE_MAX_S}, unless reset is true`;

/** Seconds to advance, null for a reset; one of both must be sent. */
const moveBody: Body<number | null> = {
  schema: MoveBody,
  read(body) {
    const malformed = check(body);
    // Not an object is malformed.
    const { advance_s, reset } = Object(body) as Static<typeof MoveBody>;
    if ((advance_s === undefined) === (reset === undefined)) {
      const message = reset === undefined ? "is missing" : "cannot be sent together with reset";
      return { ok: false, errors: [...malformed, { path: "/advance_s", message, expected }] };
    }
    if (malformed.length > 0) return { ok: false, errors: malformed };
    return { ok: true, value: advance_s ?? null };
  },
};

/** The refusal of a live credential: live mode has real time. */
function whyLive({ principal }: Call): Refusal | null {
  return principal.mode === "test" ? null : refuse("forbidden", { reason: "test_mode_only" });
}

function show(call: Call): Success | Refusal {
  const live = whyLive(call);
  if (live) return live;
  const { context, principal } = call;
  const offset_s = context.replica.state.clockOffsetMs(principal) / 1000;
  return { ok: true, data: { now: instantIso(context.timeIn(principal)), offset_s } };
}

function move(call: Call<number | null>): Refusal | Promise<Success | Refusal> {
  const live = whyLive(call);
  if (live) return live;
  const command = { ...commandMeta(call), type: "AdvanceTestClock", advance_s: call.body } as const;
  return execute(call, command, plain("test_clock"));
}

const CLOCK = {
  tag: "Desk",
  path: "/v1/admin/test-clock",
  access: { kinds: ["operator"], scope: "admin:test-clock", touches: "tenant" },
} as const;

export const testClockRoutes = [
  route({
    ...CLOCK,
    id: "admin_get_test_clock",
    method: "GET",
    summary: "Get the time of test mode",
    description: "For credentials of test mode; live mode always has real time.",
    readsReplica: true,
    success: { status: 200, description: "The clock.", data: TestClock },
    errors: [],
    handle: show,
  }),
  route({
    ...CLOCK,
    id: "admin_move_test_clock",
    method: "POST",
    summary: "Advance or reset the time of test mode",
    description:
      "Advances the time of the tenant's test mode by `advance_s`, up to ten years in all, or sets " +
      "it back with `reset: true`. Quotes, holds, authorizations, cancellation fees, the days of " +
      "arrival and retries of webhooks follow; what became due is done before the answer, up to " +
      "1,000 holds, and shortly after it beyond. After a reset expired things stay expired, " +
      "quotes end, and open holds and authorizations keep the time they had left. Live mode, " +
      "payments, tokens, rate limits and the `timestamp` of events have real time.",
    key: "accepted",
    body: moveBody,
    success: { status: 200, description: "The clock after the move.", data: MovedTestClock },
    errors: [],
    handle: move,
  }),
];
