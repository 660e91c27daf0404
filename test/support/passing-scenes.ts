/** Scenes of codes that are never sealed: the same key succeeds when the cause is gone. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bookingBody, newBooking, newHold, newKey, propertyBody, stayRequest } from "./client.ts";
import {
  AGENTS,
  admin,
  agentWith,
  booking,
  cancelling,
  change,
  freshHold,
  holding,
  ISSUERS,
  newIssuer,
  PROPERTIES,
  quoteId,
  type Send,
  type Setting,
} from "./scenes.ts";
import { until } from "./service.ts";

/** Refusals that go away with their cause. */
export const PASSING: Readonly<Record<string, readonly [code: string, Setting]>> = {
  "a body at fault": [
    "validation_failed",
    async (service, hotel) => {
      const after = holding(service, await quoteId(service, hotel));
      return { refused: holding(service, 5), after };
    },
  ],
  "a property that an agent may not be given yet": [
    "validation_failed",
    async (service) => {
      const property = propertyBody();
      const body = { name: "Narrow", kind: "agent", property_ids: [property.id] };
      const mend = async () => {
        (await admin(service, "POST", PROPERTIES, property)(newKey())).ok(201);
      };
      return { refused: admin(service, "POST", AGENTS, body), mend };
    },
  ],
  "no credential": [
    "unauthenticated",
    async (service, hotel) => {
      const id = await quoteId(service, hotel);
      return { refused: holding(service, id, null), after: holding(service, id) };
    },
  ],
  "an outbox that cannot be written": [
    "notification_delivery_failed",
    async (service, hotel) => {
      const { booking_id } = await newBooking(service, stayRequest(hotel));
      const outbox = join(service.dataDir, "outbox");
      await until("the guest was written to", () => {
        return existsSync(outbox) && readdirSync(outbox).join().includes(booking_id);
      });
      renameSync(outbox, `${outbox}-aside`);
      writeFileSync(outbox, "");
      const mend = async () => {
        rmSync(outbox);
        renameSync(`${outbox}-aside`, outbox);
      };
      const path = `/v1/admin/bookings/${booking_id}/resend-confirmation`;
      return { refused: admin(service, "POST", path), mend };
    },
  ],
  "no delegation": [
    "delegation_required",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused: Send = (key) => {
        const headers = { "idempotency-key": key };
        return service.api("POST", "/v1/bookings", { headers, body: bookingBody(hold) });
      };
      return { refused, after: booking(service, hold) };
    },
  ],
  "a delegation that does not verify": [
    "delegation_invalid",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused = booking(service, hold, { delegation: "a.b.c" });
      return { refused, after: booking(service, hold) };
    },
  ],
  "a delegation that is bound to less": [
    "delegation_invalid",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const delegation = await service.mintDelegation({ maxAmount: 1 });
      return { refused: booking(service, hold, { delegation }), after: booking(service, hold) };
    },
  ],
  "an issuer that is not registered yet": [
    "delegation_issuer_unknown",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const { token: delegation, body } = await newIssuer(service);
      const mend = async () => (await admin(service, "POST", ISSUERS, body)(newKey())).ok(201);
      return { refused: booking(service, hold, { delegation }), mend };
    },
  ],
  "a scope that is not granted yet": [
    "forbidden",
    async (service, hotel) => {
      const agent = await agentWith(service, { scopes: ["supply:read", "quotes"] });
      const refused = holding(service, await quoteId(service, hotel, agent), agent);
      const mend = () => change(service, agent, { scopes: ["supply:read", "quotes", "holds"] });
      return { refused, mend };
    },
  ],
  "a right that the operator does not have yet": [
    "forbidden",
    async (service) => {
      const scopes = ["supply:read", "admin:agents"];
      const agent = await agentWith(service, { kind: "operator", scopes });
      const body = { name: "Rates", kind: "operator", scopes: ["admin:fx"] };
      const refused: Send = (key) => {
        return service.api("POST", AGENTS, { agent, body, headers: { "idempotency-key": key } });
      };
      return { refused, mend: () => change(service, agent, { scopes: [...scopes, "admin:fx"] }) };
    },
  ],
  "another traveler": [
    "resource_access_denied",
    async (service, hotel) => {
      const { booking_id } = await newBooking(service, stayRequest(hotel));
      const refused = cancelling(service, booking_id, "traveler-2");
      return { refused, after: cancelling(service, booking_id) };
    },
  ],
  "a property that the operator may not give yet": [
    "forbidden",
    async (service, hotel) => {
      const agent = await agentWith(service, { kind: "operator", property_ids: [] });
      const body = { name: "Narrow", kind: "agent", property_ids: [hotel.id] };
      const refused: Send = (key) => {
        return service.api("POST", AGENTS, { agent, body, headers: { "idempotency-key": key } });
      };
      return { refused, mend: () => change(service, agent, { property_ids: [hotel.id] }) };
    },
  ],
  "another kind": [
    "principal_kind_not_allowed",
    async (service, hotel) => {
      const partner = await agentWith(service, { kind: "partner" });
      const id = await quoteId(service, hotel);
      return { refused: holding(service, id, partner), after: holding(service, id) };
    },
  ],
  "as many holds as the agent may have": [
    "rate_limited",
    async (service, hotel) => {
      const agent = await agentWith(service, { limits: { max_open_holds: 1 } });
      const { hold_id } = await newHold(service, stayRequest(hotel), { agent });
      const refused = holding(service, await quoteId(service, hotel, agent), agent);
      const mend = async () =>
        (await service.api("POST", `/v1/holds/${hold_id}/release`, { agent })).ok();
      return { refused, mend };
    },
  ],
  "a control store that is busy": [
    "upstream_unavailable",
    async (service) => {
      const after = admin(service, "POST", AGENTS, { name: "Later", kind: "agent" });
      return { refused: (key) => service.whileStoreIsBusy(() => after(key)), after };
    },
  ],
  "an engine that does not answer": [
    "upstream_unavailable",
    async (service, hotel) => {
      const { hold_id } = await freshHold(service, hotel);
      const after: Send = (key) => {
        const headers = { "idempotency-key": key };
        return service.api("POST", `/v1/holds/${hold_id}/extend`, { headers });
      };
      const refused: Send = async (key) => {
        const { engine, supervisor } = service.pids;
        // Else the engine would be replaced for its silence while the call waits, and answer it.
        const stopped = [supervisor!, engine!];
        for (const pid of stopped) process.kill(pid, "SIGSTOP");
        try {
          return await after(key);
        } finally {
          for (const pid of stopped.toReversed()) process.kill(pid, "SIGCONT");
        }
      };
      return { refused, after };
    },
  ],
};
