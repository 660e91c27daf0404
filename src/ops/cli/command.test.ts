/** Goal: whoever stops a command is not told that it was done. Method: an API without answers. */
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

test("what is stopped before it is done says so by its exit code", async () => {
  expect(await run("replay-all", "--yes")).toBe(130);
});

test("what goes on until it is stopped is done then", async () => {
  expect(await run("list", "--watch")).toBe(0);
});
