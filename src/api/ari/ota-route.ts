/**
 * `POST /v1/admin/ota`: messages of channel managers. They post every kind of message about every
 * hotel to one address, and read from the body of a 200 whether it was applied.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { otaAnswer, otaContentType } from "../../../feeds/inbound/answer.ts";
import { ERROR_CODES, ERROR_TYPES, faultOf, type OtaFault } from "../../../feeds/inbound/faults.ts";
import {
  ariOfMessage,
  messageIn,
  OTA_KINDS,
  type OtaMessage,
} from "../../../feeds/inbound/message.ts";
import type { RecordedAri } from "../../../feeds/inbound/recorded-ari.ts";
import { readXml } from "../../../feeds/reading/untrusted.ts";
import { invalid, type Refusal, type Verbatim } from "../../http/answer.ts";
import { readText } from "../../http/body.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, plain } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import type { FieldError } from "../../http/validate.ts";
import { PROPERTY_ADMIN, SUPPLY_BYTES_MAX } from "../properties/parameters.ts";
import { hotelOf } from "../visible.ts";
import { ariProblems } from "./requests.ts";

const BYTES_MAX = 2 * 1024 * 1024;
const DEPTH_MAX = 32;
/** Longest token, as in OpenTravel's schema. */
const ECHO_CHARACTERS_MAX = 128;
const TYPES = ["application/xml", "text/xml", "application/soap+xml"] as const;

async function receive(call: Call): Promise<Verbatim | Refusal> {
  const message = await messageOf(call);
  if ("code" in message) return message;
  const applied = await apply(call, message);
  if ("code" in applied) return applied;
  const headers = {
    "content-type": otaContentType(message),
    "cache-control": "no-store",
    "x-trace-id": call.traceId,
    ...(applied.isReplayed && { "idempotent-replayed": "true" }),
  };
  const body = otaAnswer(message, applied, call.context.engineNow());
  return { ok: true, status: 200, headers, body };
}

/** The message of the body, or the refusal of what is none. */
async function messageOf({ request }: Call): Promise<OtaMessage | Refusal> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (!TYPES.some((known) => known === type)) {
    return invalid([{ path: "Content-Type", message: "is not XML", expected: TYPES.join(", ") }]);
  }
  const received = await readText(request, BYTES_MAX);
  if (!received.ok) return invalid([received.fault]);
  const reading = await inTurns(readXml(received.text, DEPTH_MAX));
  if (!reading.ok) return invalid([{ path: "", ...reading.fault }]);
  const message = messageIn(reading.name, reading.root);
  if (message) return message;
  const expected = `one of ${OTA_KINDS.join(", ")}, also in a SOAP envelope`;
  return invalid([{ path: "", message: "is not a known message", expected }]);
}

/** Goes on after other requests. */
async function inTurns<T>(slices: Generator<undefined, T, undefined>): Promise<T> {
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
    await nextTurn();
  }
}

/** What became of the message; `Refusal` where it may be sent again unchanged. */
interface Applied {
  readonly errors: readonly OtaFault[];
  readonly warnings: readonly OtaFault[];
  readonly isReplayed?: boolean;
}

function failed(...errors: OtaFault[]): Applied {
  return { errors, warnings: [] };
}

async function apply(call: Call, message: OtaMessage): Promise<Applied | Refusal> {
  const { hotelCode, echoToken } = message;
  if (hotelCode === null) {
    return failed(faultOf("missing", null, "HotelCode is missing; expected one in each message"));
  }
  if (echoToken !== null && echoToken.length > ECHO_CHARACTERS_MAX) {
    const expected = `at most ${ECHO_CHARACTERS_MAX} characters`;
    return failed(faultOf("value", null, `EchoToken is too long; expected ${expected}`));
  }
  const property = hotelOf(call, hotelCode);
  if ("code" in property) return failed(hotelFault(property));
  const recorded = await inTurns(ariOfMessage(message, property.tree));
  const { ari, faults, warnings } = recorded;
  const errors = [...faults, ...ariProblems(ari).map((each) => recorded.faultAt(each))];
  if (errors.length > 0) return { errors, warnings };
  if (Object.keys(ari).length === 0) return { errors, warnings };
  return update(call, message, property, recorded);
}

/** A hotel that does not exist, or that the credential may not change. */
function hotelFault({ code }: Refusal): OtaFault {
  const text = "HotelCode is unknown; expected the id, slug or external code of a property";
  if (code !== "resource_access_denied") return faultOf("hotel", null, text);
  const denied = "HotelCode is of a property that this credential may not change";
  return { ...faultOf("hotel", null, denied), type: ERROR_TYPES.authorization };
}

/** Sends one update for the whole message, under the key of its token. */
async function update(
  call: Call,
  message: OtaMessage,
  { tree }: PropertyEntry,
  recorded: RecordedAri,
): Promise<Applied | Refusal> {
  const { ari, warnings } = recorded;
  const bytes = JSON.stringify(ari).length;
  if (bytes > SUPPLY_BYTES_MAX) {
    return failed(faultOf("unable", null, "the message is too large; expected it to be split"));
  }
  const meta = commandMeta({ ...call, key: keyOf(message), sent: { property_id: tree.id, ari } });
  const command = { ...meta, type: "UpdateAri", property_id: tree.id, ari } as const;
  const answer = await execute(call, command, plain("ari"), { bytes });
  if (answer.ok) return { errors: [], warnings, isReplayed: answer.isReplayed === true };
  const errors = refusedFaults(answer, recorded);
  return errors === null ? answer : { errors, warnings };
}

/**
 * A message is known by its token and its time: senders with one token for all messages are served
 * too, and a retry with newer values is another message.
 */
function keyOf({ echoToken, timeStamp }: OtaMessage): string | null {
  return echoToken === null || echoToken === "" ? null : `${echoToken}\n${timeStamp ?? ""}`;
}

/** The errors of a refused update; null for a refusal that is not about the message. */
function refusedFaults({ code, detail = {} }: Refusal, recorded: RecordedAri): OtaFault[] | null {
  switch (code) {
    case "validation_failed": {
      const errors = (detail.field_errors ?? []) as readonly FieldError[];
      return errors.map((each) => recorded.faultAt(each));
    }
    case "property_not_found":
    case "resource_access_denied":
      return [hotelFault({ ok: false, code })];
    case "idempotency_conflict": {
      const text = "EchoToken and TimeStamp are those of another message";
      return [{ type: ERROR_TYPES.business, code: ERROR_CODES.unable, record: null, text }];
    }
    default:
      return null;
  }
}

const Message = Type.String({ description: `One of ${OTA_KINDS.join(", ")}.` });

export const otaRoutes = [
  route({
    ...PROPERTY_ADMIN,
    access: { ...PROPERTY_ADMIN.access, scope: "admin:ari" },
    id: "admin_receive_ota",
    method: "POST",
    path: "/v1/admin/ota",
    summary: "Receive a channel manager's message",
    description:
      "OpenTravel's `OTA_HotelAvailNotifRQ`, `OTA_HotelRateAmountNotifRQ` and " +
      "`OTA_HotelInvCountNotifRQ`, bare or in a SOAP 1.1 or 1.2 envelope. `HotelCode`, " +
      "`InvTypeCode` and `RatePlanCode` are ids or codes of this service; `HotelCode` may be the " +
      "property's `external_code`. A message is applied completely or not at all. " +
      "`BookingLimit` and a count of type 2 are the units that are left. The answer is always " +
      "200 with `Success`, also with `Warnings`, or `Errors`. A repeated `EchoToken` with the " +
      "same `TimeStamp` is applied once. The agent's id and secret are accepted as HTTP Basic.",
    takesBasic: true,
    reads: "stream",
    bodyBytesMax: BYTES_MAX,
    accepts: Object.fromEntries(TYPES.map((type) => [type, Message])),
    readsReplica: true,
    renderer: "verbatim",
    success: {
      ...{ status: 200, description: "`OTA_Hotel…NotifRS`." },
      ...{ body: Type.String(), contentType: "application/xml" },
    },
    errors: ["upstream_unavailable"],
    handle: receive,
  }),
];
