/**
 * Goal: the service holds no more of a body than its limit, and parses no deeper than its limit.
 */
import { expect, spyOn, test } from "bun:test";
import { BODY_BYTES_MAX, readBody } from "./body.ts";

const BYTES_MAX = 1_000;

function post(text: string, isDeclared: boolean): Request {
  const bytes = new TextEncoder().encode(text);
  const headers = {
    "content-type": "application/json",
    ...(isDeclared && { "content-length": String(bytes.length) }),
  };
  const body = isDeclared ? bytes : new Blob([bytes]).stream();
  return new Request("http://localhost/", { method: "POST", headers, body });
}

async function answer(text: string, isDeclared = true): Promise<string> {
  const reading = await readBody(post(text, isDeclared), BYTES_MAX);
  return reading.ok ? "taken" : reading.errors.map(({ message }) => message).join("; ");
}

test("a body over its limit is refused, with or without a declared length", async () => {
  const textOf = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
  for (const isDeclared of [true, false]) {
    expect(await answer(textOf(BYTES_MAX), isDeclared)).toBe("taken");
    expect(await answer(textOf(BYTES_MAX + 1), isDeclared)).toBe("is too large");
  }
});

/** What happens in which order while a body of that many bytes is read. */
async function orderOf(bytes: number): Promise<string[]> {
  const order: string[] = [];
  const othersTurn = () => setImmediate(() => order.push("others"));
  const text = JSON.stringify("x".repeat(bytes - 2));
  const { parse } = JSON;
  using _parse = spyOn(JSON, "parse").mockImplementation((...given) => {
    order.push("parsed");
    othersTurn();
    return parse(...given);
  });
  const request = post(text, true);
  const received = await request.bytes();
  spyOn(request, "bytes").mockImplementation(() => {
    othersTurn();
    return Promise.resolve(received);
  });
  expect(await readBody(request, bytes)).toMatchObject({ ok: true });
  return [...order, "read"];
}

test("other work runs before and after a large body is parsed, but not a small one", async () => {
  expect(await orderOf(BODY_BYTES_MAX + 1)).toEqual(["others", "parsed", "others", "read"]);
  expect(await orderOf(BODY_BYTES_MAX)).toEqual(["parsed", "read"]);
});

test("a body may nest 32 levels deep, and is refused at 33", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(await answer(nested(32))).toBe("taken");
  expect(await answer(nested(33))).toBe("is nested too deep");
});

test("a body that is not JSON, not UTF-8 or encoded is refused by its fault", async () => {
  expect(await answer("{")).toBe("is not well-formed JSON");
  const broken = post("{}", true);
  const coded = new Request(broken, { headers: { "content-encoding": "gzip" } });
  expect(await readBody(coded, BYTES_MAX)).toMatchObject({
    errors: [{ message: "is not supported" }],
  });
});
