/** The filter options for deliveries. */
import { count, parsed, text, UsageError, type Values } from "../../lib/command-line.ts";

export const WEBHOOKS = "/v1/admin/webhooks";
export const DELIVERIES = "/v1/admin/webhook-deliveries";

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** An option for an instant or an age. Its value is the instant for the API, at a given time. */
export function when(help: string) {
  return parsed("WHEN", help, (given, name) => {
    const [, age, unit] = /^(\d{1,9})([smhd])$/.exec(given) ?? [];
    const msAt = (nowMs: number) =>
      unit === undefined ? Date.parse(given) : nowMs - Number(age) * UNIT_MS[unit]!;
    if (msAt(Date.now()) >= 0) return (nowMs: number) => new Date(msAt(nowMs)).toISOString();
    throw new UsageError(`${name} must be an RFC 3339 instant or an age such as 90m, 6h or 3d`);
  });
}

export const FILTER_OPTIONS = {
  endpoint: text("ID", "only to this endpoint"),
  kinds: text("KINDS", "only events of these kinds: booking.confirmed,…"),
  property: text("ID", "only events of this property"),
  reason: text("REASON", "only failed for this reason: timeout, tls, http_5xx, …"),
  status: count("N", "only answered with this status", { max: 599 }),
  since: when("only created since an RFC 3339 instant or an age: 90m, 6h, 3d"),
  until: when("only created before"),
};

/** The filter as query parameters. */
export function filterOf(given: Values<typeof FILTER_OPTIONS>, nowMs: number) {
  const { endpoint, kinds, property, reason, status, since, until } = given;
  const members = Object.entries({
    ...{ endpoint_id: endpoint, kinds, property_id: property, reason },
    ...{ status: status?.toString(), since: since?.(nowMs), until: until?.(nowMs) },
  });
  const known = members.filter((each): each is [string, string] => each[1] !== undefined);
  return Object.fromEntries(known);
}
