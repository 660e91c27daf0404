/**
 * Goal: an accepted mail is a complete file that only its owner can read. Method: the outbox on a
 * real directory.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mail } from "./mail.ts";
import { OutboxMailer } from "./outbox.ts";

let parent: string;
let directory: string;
let outbox: OutboxMailer;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "innkeep-outbox-"));
  directory = join(parent, "outbox");
  outbox = new OutboxMailer(directory);
});
afterEach(() => rmSync(parent, { recursive: true }));

function mailOf(n: number, text = `Mail ${n}\n`): Mail {
  return {
    ...{ message_id: `confirmation.bkg_${n}@inn.example`, dateMs: Date.UTC(2026, 11, 18, 14) },
    ...{ from: { name: null, address: "desk@inn.example" }, subject: "Booked", html: "<p>" },
    ...{ to: { name: "Ada", address: "ada@example.com" }, text },
  };
}

const nameOf = (n: number) => `20261218T140000000Z-confirmation.bkg_${n}.eml`;

/** The mail from its first header to the end of its last part, and nothing behind it. */
function mustHold(path: string, { message_id, text }: Mail): void {
  const message = readFileSync(path, "utf8");
  expect(message).toContain(`Message-ID: <${message_id}>\r\n`);
  expect(message).toContain(`\r\n\r\n${text.trimEnd()}\r\n`);
  expect(message).toMatch(/boundary="([^"]+)"[\s\S]+\r\n--\1--\r\n$/);
}

test("simultaneous mails are one complete file each, with no other files left", async () => {
  const mails = Array.from({ length: 40 }, (_, n) => mailOf(n));
  const sent = await Promise.all(mails.map((mail) => outbox.send(mail)));
  expect(sent).toEqual(mails.map(() => ({ ok: true })));
  expect(readdirSync(directory).sort()).toEqual(mails.map((_, n) => nameOf(n)).sort());
  for (const [n, mail] of mails.entries()) {
    const path = join(directory, nameOf(n));
    mustHold(path, mail);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("a partial file left by a killed process is overwritten, also when it is longer", async () => {
  await outbox.send(mailOf(1));
  writeFileSync(join(directory, `.${nameOf(2)}.partial`), "x".repeat(100_000));
  expect(await outbox.send(mailOf(2))).toEqual({ ok: true });
  expect(await outbox.send(mailOf(2))).toEqual({ ok: true });
  expect(readdirSync(directory).sort()).toEqual([nameOf(1), nameOf(2)]);
  mustHold(join(directory, nameOf(2)), mailOf(2));
});

test("a removed directory is created again; if that fails, no mail is sent", async () => {
  await outbox.send(mailOf(1));
  rmSync(directory, { recursive: true });
  expect(await outbox.send(mailOf(2))).toEqual({ ok: true });
  expect(readdirSync(directory)).toEqual([nameOf(2)]);
  rmSync(directory, { recursive: true });
  writeFileSync(directory, "");
  const refused = { ok: false, reason: "disk", status: null } as const;
  const sent = await Promise.all([outbox.send(mailOf(3)), outbox.send(mailOf(4))]);
  expect(sent).toEqual([refused, refused]);
  rmSync(directory);
  expect(await outbox.send(mailOf(3))).toEqual({ ok: true });
});
