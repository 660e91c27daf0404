/**
 * Goal: a mail reaches a real mail server, and each kind of failure has its own name. Method: a
 * scripted server on this machine.
 */
import { afterEach, expect, test } from "bun:test";
import { selfSigned } from "../../test/support/certificate.ts";
import { freePort } from "../../test/support/service.ts";
import { messageIn, SmtpServer } from "../../test/support/smtp-server.ts";
import type { Mail } from "./mail.ts";
import { SmtpMailer, smtpServerIn } from "./smtp.ts";

const MAIL: Mail = {
  message_id: "confirmation.bkg_1@inn.example",
  dateMs: Date.parse("2026-12-18T14:00:00Z"),
  from: { name: "The Inn", address: "noreply@inn.example" },
  to: { name: "Ada Lovelace", address: "ada@example.com" },
  subject: "Booking confirmed: Hôtel",
  text: "Grüße\n.\nEnd\n",
  html: "<p>Grüße</p>",
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function started(...terms: Parameters<typeof SmtpServer.start>): Promise<SmtpServer> {
  const server = await SmtpServer.start(...terms);
  closing.push(() => server.stop());
  return server;
}

function send(address: string, mail: Partial<Mail> = {}, timeoutMs = 4_000) {
  const mailer = new SmtpMailer(smtpServerIn(address)!);
  closing.push(() => mailer.close());
  return mailer.send({ ...MAIL, ...mail }, AbortSignal.timeout(timeoutMs));
}

test("a mail arrives with its Message-ID, its date and both forms of its text", async () => {
  const server = await started();
  expect(await send(`smtp://127.0.0.1:${server.port}`)).toEqual({ ok: true });
  const [{ from, to, text }] = server.received as [(typeof server.received)[0]];
  expect({ from, to }).toEqual({ from: "noreply@inn.example", to: ["ada@example.com"] });
  const { fields, parts } = messageIn(text);
  expect(fields).toMatchObject({
    from: "The Inn <noreply@inn.example>",
    to: "Ada Lovelace <ada@example.com>",
    "message-id": "<confirmation.bkg_1@inn.example>",
    date: "Fri, 18 Dec 2026 14:00:00 +0000",
    "auto-submitted": "auto-generated",
  });
  expect(parts.map(({ type }) => type)).toEqual(["text/plain", "text/html"]);
  expect(parts[0]!.text.replaceAll("\r", "")).toBe("Grüße\n.\nEnd\n");
});

test("permanent and temporary refusals of a server are distinguished", async () => {
  const server = await started();
  const address = `smtp://127.0.0.1:${server.port}`;
  for (const [script, reason, status] of [
    [{ recipient: "550 5.1.1 no such user" }, "rejected", 550],
    [{ message: "554 5.7.1 no" }, "rejected", 554],
    [{ sender: "501 5.1.7 who" }, "rejected", 501],
    [{ recipient: "451 4.7.1 greylisted" }, "deferred", 451],
    [{ message: "452 4.3.1 full" }, "deferred", 452],
    [{ sender: "530 5.7.0 log in first" }, "auth", 530],
    [{ recipient: "421 4.3.2 going down" }, "connect", 421],
    [{ greeting: "554 no service" }, "connect", 554],
  ] as const) {
    server.script = script;
    expect([script, await send(address)]).toEqual([script, { ok: false, reason, status }]);
  }
  expect(server.received.filter(({ text }) => text.includes("Bcc"))).toEqual([]);
});

test("a server that is absent, or hangs at any point, times out", async () => {
  const nowhere = await send(`smtp://127.0.0.1:${freePort()}`);
  expect(nowhere).toMatchObject({ ok: false, reason: "connect", status: null });
  const unnamed = await send("smtp://mail.invalid:25");
  expect(unnamed).toMatchObject({ ok: false, status: null });
  const server = await started();
  for (const stage of ["greeting", "hello", "recipient", "message"] as const) {
    server.script = { [stage]: null };
    const sent = await send(`smtp://127.0.0.1:${server.port}`, {}, 300);
    expect([stage, sent]).toEqual([stage, { ok: false, reason: "timeout", status: null }]);
  }
});

test("an invalid certificate ends the session, with STARTTLS and without", async () => {
  const certificate = selfSigned("mail.test");
  const upgrading = await started(certificate);
  const outright = await started(certificate, true);
  for (const [scheme, server] of [
    ["smtp", upgrading],
    ["smtps", outright],
  ] as const) {
    const sent = await send(`${scheme}://127.0.0.1:${server.port}`);
    expect([scheme, sent]).toEqual([scheme, { ok: false, reason: "tls", status: null }]);
    expect(server.received).toEqual([]);
  }
});

test("a required login is made, and never in clear text to another machine", async () => {
  const server = await started();
  const address = `smtp://inn%40example:p%3Ass@127.0.0.1:${server.port}`;
  expect(await send(address)).toEqual({ ok: true });
  expect(server.logins).toEqual(["\0inn@example\0p:ss"]);
  server.script = { login: "535 5.7.8 no" };
  expect(await send(address)).toEqual({ ok: false, reason: "auth", status: 535 });
  server.script = {};
  // Another name of this machine, as the address of another one would be.
  const elsewhere = await send(`smtp://inn:pass@0.0.0.0:${server.port}`);
  expect(elsewhere).toMatchObject({ ok: false, reason: "tls" });
  expect(server.logins).toHaveLength(2);
});

test("an address that could be several addresses gets no mail", async () => {
  const server = await started();
  for (const address of [
    "a@b.example>\r\nRCPT TO:<c@d.example",
    ...["a@b.example,c@d.example", "a b@c.example", "a@b@c", "<a@b.example>", "a@b.example\u0000"],
    ...['"a"@b.example', "a@", "@b", "a(c)@b.example", `${"a".repeat(250)}@b.example`],
  ]) {
    const to = { name: null, address };
    const sent = await send(`smtp://127.0.0.1:${server.port}`, { to });
    expect([address, sent]).toEqual([address, { ok: false, reason: "address", status: null }]);
  }
  expect(server.connections).toBe(0);
});

test("names and subjects cannot add a header or a recipient", async () => {
  const server = await started();
  const evil = 'Ada"\r\nBcc: eve@example.com\r\n\r\n<eve@example.com>,\u2028x: y';
  const to = { name: evil, address: "ada@example.com" };
  expect(await send(`smtp://127.0.0.1:${server.port}`, { to, subject: evil })).toEqual({
    ok: true,
  });
  const [mail] = server.received;
  expect(mail!.to).toEqual(["ada@example.com"]);
  const { names, fields } = messageIn(mail!.text);
  expect(names.toSorted()).toEqual([
    ...["auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject"],
    "to",
  ]);
  expect(fields.to).toEndWith(" <ada@example.com>");
});

test("a server's address is smtp or smtps, with or without a login, and nothing else", () => {
  expect(smtpServerIn("smtp://mail.example")).toEqual({
    ...{ host: "mail.example", port: 587, isTls: false, login: null },
  });
  expect(smtpServerIn("smtps://u:p@mail.example:2465/")).toEqual({
    ...{ host: "mail.example", port: 2465, isTls: true, login: { user: "u", pass: "p" } },
  });
  for (const address of [
    ...["mail.example:25", "http://mail.example", "smtp://", "smtp:mail", "smtp://u@mail.example"],
    ...["smtp://mail.example/path", "smtp://mail.example?x=1", "smtp://mail.example#x"],
    ...["smtp://u:%zz@mail.example", "smtp://mail.example:99999", "smtp://:p@mail.example"],
    ...["smtp://mail.example:0"],
  ]) {
    expect([address, smtpServerIn(address)]).toEqual([address, null]);
  }
});
