/** Goal: the command prints only a token, or the reason why not. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, jwtVerify } from "jose";
import { type DemoFile, writeDemoFile } from "../demo/demo-file.ts";

const directory = mkdtempSync(join(tmpdir(), "innkeep-mint-"));
const demoPath = join(directory, "demo.json");
let publicKey: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair("ES256", { extractable: true });
  publicKey = pair.publicKey;
  const private_jwk = { ...(await exportJWK(pair.privateKey)), alg: "ES256" };
  const delegation = { iss: "https://i.example", aud: "aud", alg: "ES256", kid: "k", private_jwk };
  // The command reads nothing but the delegation.
  await writeDemoFile(demoPath, { delegation } as DemoFile);
});
afterAll(() => rmSync(directory, { recursive: true }));

async function mint(...args: string[]) {
  const main = join(import.meta.dir, "..", "main.ts");
  const child = Bun.spawn([process.execPath, main, "mint-delegation", ...args], {
    env: { ...process.env, DATA_DIR: directory },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err, exitCode: await child.exited };
}

test("without options it prints a verifiable token of five minutes from DATA_DIR", async () => {
  const { out, err, exitCode } = await mint();
  expect({ err, exitCode }).toEqual({ err: "", exitCode: 0 });
  expect(out).toMatch(/^[^\n]+\n$/);
  const { payload, protectedHeader } = await jwtVerify(out.trim(), publicKey);
  expect(protectedHeader).toMatchObject({ alg: "ES256", kid: "k" });
  expect(payload).toMatchObject({ iss: "https://i.example", aud: "aud", sub: "traveler-1" });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
  expect(payload).not.toHaveProperty("hold_id");
});

test("options set the traveler, the lifetime and the bounds", async () => {
  const bounds = ["--hold-id", "hld_7", "--max-amount", "12000"];
  const { out } = await mint("--demo", demoPath, "--sub", "ann", "--ttl-s", "600", ...bounds);
  const payload = decodeJwt(out.trim());
  expect(payload).toMatchObject({ sub: "ann", hold_id: "hld_7", max_amount: 12000 });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
});

test("bad options and a missing file print only the reason, to stderr", async () => {
  const cases: [string[], string, number?][] = [
    [["--ttl-s", "601"], "--ttl-s"],
    [["--max-amount", "1.5"], "--max-amount"],
    [["--sub="], "--sub"],
    [["--nonsense"], "--nonsense"],
    [
      ["--demo", join(directory, "none.json")],
      "none.json does not exist: start the demo first (npm start)",
      1,
    ],
  ];
  for (const [args, reason, code = 2] of cases) {
    const { out, err, exitCode } = await mint(...args);
    expect({ out, exitCode }).toEqual({ out: "", exitCode: code });
    expect(err).toContain(reason);
  }
});

test("--help prints the usage", async () => {
  const { out, exitCode } = await mint("--help");
  expect(exitCode).toBe(0);
  for (const option of ["--sub", "--ttl-s", "--hold-id", "--max-amount", "--demo"]) {
    expect(out).toContain(option);
  }
});
