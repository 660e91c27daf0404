/**
 * Goal: keys rotate under a running service and nobody notices but who reads a `kid`. Method: one
 * real service with two api processes; the rotation is dated back so that its keys take over within
 * seconds; everything that older keys made is used again after it, and after a restart.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { ROTATING, rotateKeys, secretsPath } from "../../src/access/privacy/secrets.ts";
import { journalPath } from "../../src/config.ts";
import type { Receipt } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hotel,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";

/** What a rotation waits before its keys write, less what the test does. */
const DATED_BACK_MS = 300_000 - 3_000;

let service: Service;
let hotel: Hotel;
/** `secrets.json` as it was before the rotation. */
let secretsBefore: Buffer;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "2" });
  hotel = await createHotel(service);
});
afterAll(() => service.stop());

const verify = (receipt: Receipt) =>
  service.api("POST", "/v1/receipts/verify", { agent: null, body: receipt });

async function publishedKids(): Promise<readonly string[]> {
  const answer = await service.api("GET", "/.well-known/jwks.json", { agent: null });
  return (answer.json as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

/** The `kid` of each data key's wrapping. */
function wrappedUnder(): string[] {
  const db = new Database(journalPath(service.dataDir), { readonly: true });
  const rows = db.query<{ wrapped_key: string }, []>("SELECT wrapped_key FROM subject_keys").all();
  db.close();
  return rows.map(({ wrapped_key }) => wrapped_key.split(".")[0]!);
}

test("data from before a rotation is valid after it, in each process and after a restart", async () => {
  const key = newKey();
  const quote = await newQuote(service, stayRequest(hotel));
  const hold = await newHold(service, stayRequest(hotel));
  const first = await sendBooking(service, hold, { key });
  const { data, receipt } = first.ok<Booking>(201);
  const kidsBefore = await publishedKids();
  secretsBefore = readFileSync(secretsPath(service.dataDir));

  const nowMs = Date.now() - DATED_BACK_MS;
  rotateKeys(service.dataDir, {}, { names: ROTATING, nowMs });
  await until("the keys of receipts to come are published", async () => {
    return (await publishedKids()).length === kidsBefore.length + 1;
  });
  await until("the new keys write", async () => {
    return (await newQuote(service, stayRequest(hotel))).quote_id.endsWith("v2");
  });
  const next = await sendBooking(service, await newHold(service, stayRequest(hotel)));
  const { receipt: byNextKey } = next.ok(201);
  expect(byNextKey!.kid).toBe("receipt-v2");
  (await verify(byNextKey!)).ok();

  const goodAsEver = async () => {
    (await verify(receipt!)).ok();
    expect(receipt!.kid).toBe("receipt-v1");
    expect(await publishedKids()).toContain(receipt!.signatures[0]!.kid);
    const again = await sendBooking(service, hold, { key });
    expect(again).toMatchObject({ isReplayed: true, text: first.text });
    const shown = (await service.api("GET", `/v1/bookings/${data.booking_id}`)).ok();
    expect(shown.data).toHaveProperty("guest.primary.full_name", "Ada Lovelace");
  };
  await goodAsEver();
  (await sendHold(service, quote.quote_id)).ok(201);
  expect(new Set(wrappedUnder())).toEqual(new Set(["encryption-v1", "encryption-v2"]));
  await service.restart({});
  await goodAsEver();
  const { receipt: cancelled } = (await sendCancel(service, data.booking_id)).ok();
  expect(cancelled!.kid).toBe("receipt-v2");
});

test("keys from before a rotation are refused by name with newer data", async () => {
  await sendBooking(service, await newHold(service, stayRequest(hotel)));
  await service.end("SIGTERM");
  const path = secretsPath(service.dataDir);
  const secrets = readFileSync(path);
  writeFileSync(path, secretsBefore);
  const { message, exitCode } = await service.startSecond();
  expect(message).toContain(`${path} is older than the data: it has no encryption-v2`);
  expect(exitCode).toBe(78);
  writeFileSync(path, secrets);
  await service.restart({});
});
