import { expect, test } from "bun:test";
import { REFUSALS } from "./catalogue.ts";
import { SIMULATED_CODES, type Simulation, simulatedRefusal } from "./simulated.ts";

const UNKNOWN: Simulation = {
  ids: {},
  pathIds: {},
  nights: [],
  total: { amount: 10_000, currency: "EUR" },
  alternatives: [],
  asked: undefined,
  seenVersion: undefined,
  isDelegated: false,
  scope: "holds",
  kind: "agent",
  allowedKinds: ["operator"],
  nowMs: Date.parse("2026-11-01T12:00:00Z"),
  traceId: "0af7651916cd43dd8448eb211c80319c",
};
const HOLD = { hold_id: "hld_1" };
const HELD: Simulation = { ...UNKNOWN, ids: HOLD, pathIds: HOLD, nights: ["2026-12-20"] };

test("a simulated refusal has the documented fields and its mark", () => {
  for (const code of SIMULATED_CODES) {
    for (const about of [UNKNOWN, HELD]) {
      const { simulated, ...detail } = simulatedRefusal(code, about).detail;
      expect(simulated).toBe(true);
      const names = REFUSALS[code].detail.map(([name]) => name);
      const isKnown = (name: string) =>
        names.some((each) => each.replace("?", "") === name) ||
        (names.includes("…_id?") && name.endsWith("_id"));
      const unlisted = Object.keys(detail).filter((name) => !isKnown(name));
      const missing = names.filter((name) => !name.endsWith("?") && !(name in detail));
      expect({ code, unlisted, missing }).toEqual({ code, unlisted: [], missing: [] });
    }
  }
});

test("an id of the call is named", () => {
  const { detail } = simulatedRefusal("hold_expired", HELD);
  const expired_at = "2026-11-01T12:00:00.000Z";
  expect(detail).toEqual({ hold_id: "hld_1", expired_at, simulated: true });
});

test("no recovery leads to an invented id", () => {
  const { detail, recovery } = simulatedRefusal("authorization_required", HELD);
  expect(detail.authorization_id).toBe("simulated_0af7651916cd43dd8448eb211c80319c");
  const hrefs = recovery.map(({ href }) => href);
  expect(hrefs).not.toContain("/v1/booking-authorizations/{authorization_id}");
  expect(hrefs).toContain("/v1/holds/{hold_id}");
});

test("a conflict is one that the resource of the path can have", () => {
  const { detail } = simulatedRefusal("conflict", HELD);
  expect(detail).toEqual({ ...HOLD, reason: "max_extensions", extensions: 2, simulated: true });
  const seen = simulatedRefusal("conflict", { ...HELD, seenVersion: 6 });
  expect(seen.detail).toMatchObject({ reason: "version_mismatch", version: 7 });
});
