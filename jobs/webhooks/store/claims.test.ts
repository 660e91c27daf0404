/** Goal: a claimed delivery ends by its own outcome. Method: a real file of deliveries. */
import { expect, test } from "bun:test";
import { anEndpoint, succeeded } from "../../../test/support/deliveries.ts";
import { until } from "../../../test/support/service.ts";
import { WebhookRig } from "../../../test/support/webhook-rig.ts";
import { Claims } from "./claims.ts";

test("a delivery in flight is not given up with the rest and ends by its answer", async () => {
  const rig = new WebhookRig();
  try {
    rig.endpoints = [anEndpoint({ state: "paused" })];
    rig.notice(3);
    rig.start();
    await until("all are derived", () => rig.all().length === 3);
    const claims = new Claims(rig.worker!.db, [0, 50]);
    const nowMs = rig.now();
    const [delivery] = claims.take("whe_1", 1, nowMs);
    const terms = { state: "dead_lettered", reason: "endpoint_disabled", dueBefore: null } as const;
    expect(claims.giveUp("whe_1", { ...terms, limit: 9, nowMs })).toHaveLength(2);
    claims.settle([{ delivery: delivery!, at: nowMs, attempt: succeeded(), reason: null }], nowMs);
    const states = rig.all().map(({ state, reason }) => [state, reason]);
    const given = ["dead_lettered", "endpoint_disabled"];
    expect(states).toEqual([["succeeded", null], given, given]);
  } finally {
    rig.stop();
  }
});
