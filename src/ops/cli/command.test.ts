/** Goal: an interrupted command never reports success. Method: an API without answers. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { runWords } from "../../../test/support/operator-program.ts";
import { deadLetters } from "./dead-letters.ts";

let server: Bun.Server<undefined>;
let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
  server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch() {
      ending.abort();
      return new Promise<Response>(() => {});
    },
  });
});
afterEach(() => server.stop(true));

async function run(...words: readonly string[]) {
  const env = { INNKEEP_URL: `http://127.0.0.1:${server.port}`, INNKEEP_SECRET: "secret" };
  return (await runWords(deadLetters, words, env, ending.signal)).code;
}

test("a command interrupted before its end has an exit code for that", async () => {
  expect(await run("replay-all", "--yes")).toBe(130);
});

test("a command that runs until it is interrupted succeeds then", async () => {
  expect(await run("list", "--watch")).toBe(0);
});
