/** Commands about oversell incidents, for tests that care about one field at a time. */
import type {
  AcknowledgeIncident,
  ModifyBooking,
  ResolveIncident,
  ScanOversell,
} from "../../engine/core/commands.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { commandMeta, modifyBooking } from "./builders.ts";

const OPERATOR = { kind: "operator", id: "agt_ops" } as const;

export function scanOversell(
  at: Pick<ScanOversell, "property_id" | "room_type_id" | "date">,
  over: Partial<ScanOversell> = {},
): ScanOversell {
  return { ...commandMeta({ actor: OPERATOR }), type: "ScanOversell", ...at, ...over };
}

export function acknowledgeIncident(incident_id: string): AcknowledgeIncident {
  return { ...commandMeta({ actor: OPERATOR }), type: "AcknowledgeIncident", incident_id };
}

export function resolveIncident(
  incident_id: string,
  over: Pick<ResolveIncident, "action"> & Partial<ResolveIncident>,
): ResolveIncident {
  return { ...commandMeta({ actor: OPERATOR }), type: "ResolveIncident", incident_id, ...over };
}

/** The move of a booking's stay to another room type at the former price. */
export function moveTo(
  quote: FrozenQuote,
  room_type_id: string,
  rate_plan_id: string,
): Pick<ModifyBooking, "stay" | "base_version"> {
  const after = { ...quote, room_type_id, rate_plan_id };
  const { stay, base_version } = modifyBooking("", after, {
    stay: { difference: "waive", allowed_until_ms: null },
  });
  return { stay, base_version };
}
