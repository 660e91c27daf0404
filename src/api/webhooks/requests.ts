/** Bodies of `/v1/admin/webhooks`. */
import { type Static, Type } from "@sinclair/typebox";
import { PUBLIC_KINDS } from "../../../engine/core/public-events.ts";
import { addressProblem } from "../../../jobs/net/address-guard.ts";
import { FORMATS, type Format } from "../../../jobs/webhooks/endpoint.ts";
import {
  BodyKey,
  called,
  closed,
  describedAs,
  distinct,
  integer,
  mapOf,
  oneOf,
  PropertyRef,
  text,
  vocabulary,
} from "../../http/schema/request-parts.ts";
import { nameOf } from "../../http/schema/text-formats.ts";
import { type Body, type FieldError, json } from "../../http/validate.ts";

const ADDRESS_MAX = 2048;
const PROPERTIES_MAX = 1000;
const SUBJECTS_MAX = 100;
const HEADERS_MAX = 20;
const HEADER_CHARS_MAX = 1024;
const IN_FLIGHT_MAX = 50;
const PER_S_MAX = 1000;
const OVERLAP_S_MAX = 604_800;

/** Every kind, including future ones. */
export const ALL_KINDS = "*";
/** Shown instead of a header's value; sent back, it keeps the value. */
export const MASK = "***";
/** Scopes for data beyond ids, states and amounts. */
const ENDPOINT_SCOPES = ["bookings:read"] as const;

const Url = describedAs(text(1, ADDRESS_MAX), "an https address of a public host");
const Events = distinct(
  called("EventFilter", oneOf([ALL_KINDS, ...PUBLIC_KINDS])),
  1,
  PUBLIC_KINDS.length,
);
const PropertyIds = Type.Union([distinct(PropertyRef, 1, PROPERTIES_MAX), Type.Null()]);
const Subject = Type.String({
  pattern: "^[a-z][a-z_]{0,39}:[A-Za-z0-9_.-]{1,64}$",
  description: "type and id of a subject, like booking:bkg_01m7z5f57f",
});
const Subjects = Type.Union([distinct(Subject, 1, SUBJECTS_MAX), Type.Null()]);
/** A field value of RFC 9110 §5.5 in ASCII, without line ends. */
const HeaderValue = Type.String({
  maxLength: HEADER_CHARS_MAX,
  pattern: "^[!-~]([ -~]*[!-~])?$",
  description: `text of 1 to ${HEADER_CHARS_MAX} printable ASCII characters`,
});
const Headers = mapOf("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$", HeaderValue);

const RequestorId = Type.String({
  pattern: "^[A-Za-z0-9._:@/-]{1,64}$",
  description: "text of 1 to 64 letters, digits and ._:@/-",
});
const Ota = Type.Union([
  called(
    "OtaSettingsInput",
    closed({ requestor_id: Type.Optional(Type.Union([RequestorId, Type.Null()])) }),
  ),
  Type.Null(),
]);

export const WebhookFormat = vocabulary(
  "WebhookFormat",
  FORMATS,
  "`json`: events; otherwise OpenTravel messages for partners.",
);
export const WebhookOrdering = vocabulary(
  "WebhookOrdering",
  ["none", "per_subject"],
  "`per_subject`: an event waits until the previous one of its subject was delivered.",
);

const TERMS = {
  description: Type.Optional(Type.Union([nameOf(200), Type.Null()])),
  property_ids: Type.Optional(PropertyIds),
  subjects: Type.Optional(Subjects),
  headers: Type.Optional(Headers),
  scopes: Type.Optional(distinct(oneOf(ENDPOINT_SCOPES), 0, ENDPOINT_SCOPES.length)),
  max_in_flight: Type.Optional(integer(1, IN_FLIGHT_MAX)),
  max_per_s: Type.Optional(Type.Union([integer(1, PER_S_MAX), Type.Null()])),
  ordering: Type.Optional(WebhookOrdering),
  ota: Type.Optional(Ota),
  idempotency_key: BodyKey,
};

const EndpointBody = closed({
  url: Url,
  format: Type.Optional(WebhookFormat),
  events: Type.Optional(Events),
  ...TERMS,
});
export type EndpointRequest = Static<typeof EndpointBody>;

const EVENTS_MISSING = { path: "/events", message: "is missing", expected: Events.description! };
const stated = json(EndpointBody);

/** The same, with `events` required for the format `json`. */
export const endpointBody: Body<EndpointRequest> = {
  schema: EndpointBody,
  read(value, nowMs) {
    const reading = stated.read(value, nowMs);
    if (!lacksEvents(value)) return reading;
    return { ok: false, errors: [...(reading.ok ? [] : reading.errors), EVENTS_MISSING] };
  },
};

function lacksEvents(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { format = "json", events } = value as Partial<EndpointRequest>;
  return format === "json" && events === undefined;
}

export const EndpointPatchBody = closed({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  ...TERMS,
});
export type EndpointPatchRequest = Static<typeof EndpointPatchBody>;

export const RotateSecretBody = closed({
  overlap_s: Type.Optional(integer(0, OVERLAP_S_MAX)),
  idempotency_key: BodyKey,
});
export type RotateSecretRequest = Static<typeof RotateSecretBody>;

/**
 * Reserved header names: those of Standard Webhooks, of the message itself, of the connection (RFC
 * 9110 §7.6.1), and those for proxies.
 */
const OURS =
  /^(webhook-.*|host|content-.*|user-agent|x-request-id|accept-encoding|expect|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/** Errors of an endpoint's terms that depend on its format. */
export function endpointProblems(
  body: EndpointPatchRequest,
  format: Format,
  allowPrivate: boolean,
): FieldError[] {
  const { url, events, headers } = body;
  return [
    ...addressProblems(url, allowPrivate),
    ...formatProblems(body, format),
    ...(events && events.length > 1 && events.includes(ALL_KINDS)
      ? [{ path: "/events", message: "combines * with other kinds", expected: "* alone, or kinds" }]
      : []),
    ...headerProblems(headers ?? {}),
  ];
}

/** Members that a format does not have: a message has only changes, and no guests. */
function formatProblems(body: EndpointPatchRequest, format: Format): FieldError[] {
  const { events, subjects, scopes, ordering, ota } = body;
  const isMessage = format !== "json";
  const misplaced = {
    ...(isMessage && { events, subjects: subjects ?? undefined }),
    ...(isMessage && { scopes: scopes?.length ? scopes : undefined }),
    ...(isMessage && { ordering: ordering === "per_subject" ? undefined : ordering }),
    ...(!isMessage && { ota: ota ?? undefined }),
  };
  const message = `cannot be used with the format ${format}`;
  return Object.entries(misplaced).flatMap(([name, value]) => {
    return value === undefined ? [] : [{ path: `/${name}`, message, expected: "no such property" }];
  });
}

function addressProblems(url: string | undefined, allowPrivate: boolean): FieldError[] {
  const message = url === undefined ? null : addressProblem(url, { allowPrivate });
  if (message === null) return [];
  const expected = "an https address of a public host, without user, password and fragment";
  return [{ path: "/url", message, expected }];
}

function headerProblems(headers: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(headers);
  if (names.length > HEADERS_MAX) {
    const expected = `at most ${HEADERS_MAX} headers`;
    return [{ path: "/headers", message: "has too many members", expected }];
  }
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const lower = name.toLowerCase();
    const isAgain = seen.has(lower);
    seen.add(lower);
    const path = `/headers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (OURS.test(lower)) {
      const expected = "a header that deliveries do not set";
      return [{ path, message: "is a reserved header", expected }];
    }
    if (!isAgain) return [];
    return [{ path, message: "is repeated", expected: "each name once, ignoring case" }];
  });
}
