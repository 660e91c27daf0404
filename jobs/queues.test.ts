import { expect, test } from "bun:test";
import type { BeginBooking } from "../engine/core/commands.ts";
import { type Packed, unpack } from "./queues.ts";

test("a command that 0.2 sent just before it was replaced is taken in the words of today", () => {
  const fields = { guest: "c2VjcmV0" };
  const sent = { type: "BeginBooking", hold_id: "hld_1", sealed: fields, wrapped_key: "a2V5" };
  const command = unpack(sent as unknown as Packed) as BeginBooking;
  expect(command.consent).toEqual({ claims: {} });
  expect(command).toMatchObject({ hold_id: "hld_1", encrypted: fields, wrapped_key: "a2V5" });
  expect(command).not.toHaveProperty("sealed");
});

test("a command of today travels as it is", () => {
  const fields = { encrypted: { guest: "x" }, consent: { claims: {} } };
  const sent = { type: "BeginBooking", ...fields } as unknown as Packed;
  expect(unpack(sent)).toBe(sent as never);
});

test("consent that was sent in single fields binds as it did", () => {
  const loose = { jti: "j1", max_amount: 700, is_token_expired: true };
  for (const type of ["BeginBooking", "CancelBooking"]) {
    const command = unpack({ type, key: "k", ...loose } as unknown as Packed);
    const consent = { claims: { max_amount: 700 }, jti: "j1", is_expired: true };
    expect(command as object).toEqual({ type, key: "k", consent });
  }
});
