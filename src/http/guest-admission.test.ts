/** The guest's sessions through HTTP are tested in `test/int`; here what no request can time. */
import { expect, test } from "bun:test";
import type { Context } from "./context.ts";
import { admitGuest } from "./guest-admission.ts";

const SECRET = "ikg_secret";
const SESSION = {
  ...{ tenant_id: "ten_1", mode: "live", booking_id: "bkg_1", email_hash: "hash" },
  ...{ id_hash: "id", expires_at: 2 },
} as const;

/** Admits by a replica that has rows to apply: `later` is what the booking's hash becomes. */
function admitted(authorization: string | null, later: string | null = SESSION.email_hash) {
  let hash: string | null = SESSION.email_hash;
  const records = {
    bookings: ({ guest }: { guest: { hash: string } }) => (guest.hash === hash ? ["bkg_1"] : []),
    booking: () => ({ property_id: "prp_1" }),
  };
  const catchUp = () => {
    hash = later;
    return true;
  };
  const guests = { find: (secret: string) => (secret === SECRET ? SESSION : null) };
  const context = { guests, now: () => 1, replica: { records, catchUp } } as unknown as Context;
  const headers = authorization === null ? {} : { authorization };
  return admitGuest({ context, request: new Request("http://localhost", { headers }) });
}

test("a session is that of its booking's guest", async () => {
  expect(await admitted(`bearer  ${SECRET}`)).toMatchObject({
    principal: { kind: "guest", agent_id: "bkg_1", credential_id: "id" },
  });
});

test("a guest who was erased in a row that is not applied yet is out", async () => {
  const refused = { code: "unauthenticated", detail: { reason: "credential_revoked" } };
  expect(await admitted(`Bearer ${SECRET}`, null)).toMatchObject(refused);
});

test.each([
  [null, "missing_credential"],
  [SECRET, "bearer_scheme_required"],
  [`Basic ${SECRET}`, "bearer_scheme_required"],
  ["Bearer another", "unknown_credential"],
])("the header %p is no session: %s", async (authorization, reason) => {
  expect(await admitted(authorization)).toMatchObject({
    code: "unauthenticated",
    detail: { reason },
  });
});
