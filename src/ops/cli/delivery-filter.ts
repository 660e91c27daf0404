/** The filter options for deliveries. */
import { type Arguments, type Options, UsageError } from "./arguments.ts";

export const WEBHOOKS = "/v1/admin/webhooks";
export const DELIVERIES = "/v1/admin/webhook-deliveries";

export const FILTER_OPTIONS = {
  endpoint: { value: "ID", help: "only to this endpoint" },
  kinds: { value: "KINDS", help: "only events of these kinds: booking.confirmed,…" },
  property: { value: "ID", help: "only events of this property" },
  reason: { value: "REASON", help: "only failed for this reason: timeout, tls, http_5xx, …" },
  status: { value: "N", help: "only answered with this status" },
  since: { value: "WHEN", help: "only created since an RFC 3339 instant or an age: 90m, 6h, 3d" },
  until: { value: "WHEN", help: "only created before" },
} as const satisfies Options;

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * The value of `--since` or `--until` as an instant for the API; null when it is not given. Throws
 * a UsageError for anything but an instant or an age.
 */
export function whenOf(args: Arguments, name: "since" | "until", nowMs: number): string | null {
  if (!args.isSet(name)) return null;
  const text = args.text(name);
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = unit === undefined ? Date.parse(text) : nowMs - Number(count) * UNIT_MS[unit]!;
  if (!Number.isNaN(ms) && ms >= 0) return new Date(ms).toISOString();
  throw new UsageError(`--${name} must be an RFC 3339 instant or an age such as 90m, 6h or 3d`);
}

/** The filter as query parameters. */
export function filterOf(args: Arguments, nowMs: number): Record<string, string> {
  const given: readonly (readonly [string, string | null])[] = [
    ["endpoint_id", args.isSet("endpoint") ? args.text("endpoint") : null],
    ["kinds", args.isSet("kinds") ? args.text("kinds") : null],
    ["property_id", args.isSet("property") ? args.text("property") : null],
    ["reason", args.isSet("reason") ? args.text("reason") : null],
    ["status", args.count("status", 599)?.toString() ?? null],
    ["since", whenOf(args, "since", nowMs)],
    ["until", whenOf(args, "until", nowMs)],
  ];
  return Object.fromEntries(given.filter((each): each is [string, string] => each[1] !== null));
}
