/**
 * Goal: the shown command sends any event so that its receiver accepts it, and contains no secret.
 * Method: a shell runs it with a curl that prints its arguments; the public library verifies
 * those.
 */
import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { curlOf } from "./request.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const RIGHT_TO_LEFT = "\u202e";

/** Runs the commands; `curl` prints its arguments, one a line in base64. */
function pasted(curl: string, env: Readonly<Record<string, string>>) {
  const told = `curl() { for each in "$@"; do printf %s "$each" | base64 -w0; echo; done; }\n${curl}\n`;
  const { stdout, stderr, exitCode } = Bun.spawnSync(["sh", "-c", told], {
    env: { PATH: process.env.PATH!, ...env },
  });
  const lines = stdout.toString().trimEnd().split("\n");
  const given = lines.map((line) => Buffer.from(line, "base64").toString());
  return { given, stderr: stderr.toString(), exitCode };
}

function sentBy(given: readonly string[]) {
  const headers = given.flatMap((each, i) => (given[i - 1] === "-H" ? [each.split(": ")] : []));
  return {
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: given.at(-1)!,
    url: given[3],
  };
}

for (const text of [
  "plain",
  'it\'s $HOME `id` \\n "quoted"',
  "Żółć 🏨",
  RIGHT_TO_LEFT,
  "a\u009bb",
]) {
  test(`a receiver takes the event that is sent by hand: ${JSON.stringify(text)}`, () => {
    const event = { id: "evt_1", data: { text } };
    const url = "https://receiver.example.com/a'b?c=$d&e";
    const headers = { "x-tenant": "***" };
    const curl = curlOf(url, { id: event.id, body: JSON.stringify(event), headers });
    expect(curl).not.toMatch(/[\p{Cf}\u0080-\u009f]/u);
    const { given, exitCode } = pasted(curl, { WEBHOOK_SECRET: SECRET });
    expect(exitCode).toBe(0);
    const sent = sentBy(given);
    expect(sent.url).toBe(url);
    expect(sent.headers).toMatchObject({ "x-tenant": "***", "content-type": "application/json" });
    expect(new Webhook(SECRET).verify(sent.body, sent.headers)).toEqual(event);
  });
}

test("a message for a partner is sent as its XML, unchanged", () => {
  const body = '<?xml version="1.0" encoding="UTF-8"?><OTA_X EchoToken="dlv_1"/>';
  const terms = { id: "evt_1", body, contentType: "application/xml", headers: {} };
  const { given } = pasted(curlOf("https://a.example", terms), { WEBHOOK_SECRET: SECRET });
  const sent = sentBy(given);
  expect(sent).toMatchObject({ body, headers: { "content-type": "application/xml" } });
  new Webhook(SECRET).verify(sent.body, sent.headers, { jsonParse: false });
});

test("without the secret nothing is sent, and the missing variable is named", () => {
  const curl = curlOf("https://a.example", { id: "evt_1", body: "{}", headers: {} });
  const { given, stderr, exitCode } = pasted(curl, {});
  expect({ given, isFailed: exitCode !== 0 }).toEqual({ given: [""], isFailed: true });
  expect(stderr).toContain("set it to the endpoint's whsec_ secret");
});
