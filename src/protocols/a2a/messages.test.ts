import { expect, test } from "bun:test";
import { Message, Role } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { ROUTES } from "../../app.ts";
import { helpAnswer, readMessage, skillAnswer } from "./messages.ts";

const messageOf = (...parts: object[]) =>
  Message.fromJSON({ messageId: "m1", role: "ROLE_USER", parts });
const text = { text: "book me a room" };
const dataOf = (data: unknown) => ({ data });

function thrown(work: () => unknown): { name: string; message: string; metadata?: object } {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

test("one data part is a skill call, with or without text beside it", () => {
  const call = readMessage(
    ROUTES,
    messageOf(text, dataOf({ skill: "get_booking", input: { a: 1 } })),
  )!;
  expect([call.tool.id, call.input]).toEqual(["get_booking", { a: 1 }]);
  expect(readMessage(ROUTES, messageOf(dataOf({ skill: "list_properties" })))!.input).toEqual({});
});

test("text alone calls no skill", () => {
  expect(readMessage(ROUTES, messageOf(text, { text: "please" }))).toBeNull();
});

test("a data part that is not a skill call is refused with all of its faults", () => {
  const bad = { skill: "pay", input: [], extra: 1 };
  const error = thrown(() => readMessage(ROUTES, messageOf(dataOf(bad))));
  expect(error).toBeInstanceOf(RequestMalformedError);
  expect(Object.keys(error.metadata!).sort()).toEqual(["/extra", "/input", "/skill"]);
  expect(error.message).not.toContain("pay");
  for (const value of [null, 1, "search", [], {}]) {
    expect(thrown(() => readMessage(ROUTES, messageOf(dataOf(value)))).name).toBe(
      "RequestMalformedError",
    );
  }
});

test("messages with no parts, two data parts or files are refused", () => {
  const call = dataOf({ skill: "search" });
  for (const parts of [[], [{}], [call, call]]) {
    expect(thrown(() => readMessage(ROUTES, messageOf(...parts)))).toBeInstanceOf(
      RequestMalformedError,
    );
  }
  for (const file of [{ raw: "aGk=" }, { url: "https://example.com/a.pdf" }]) {
    const error = thrown(() => readMessage(ROUTES, messageOf(call, file)));
    expect(error).toBeInstanceOf(ContentTypeNotSupportedError);
  }
});

test("an answer is the envelope and one line, in the message's context", () => {
  const call = readMessage(ROUTES, messageOf(dataOf({ skill: "hold" })))!;
  const body = { data: {}, trace_id: "t", next_actions: [{ rel: "confirm" }, { rel: "release" }] };
  const answer = skillAnswer("ctx", call, { status: 201, headers: new Headers(), body });
  expect(answer).toMatchObject({ contextId: "ctx", taskId: "", role: Role.ROLE_AGENT });
  expect(answer.parts.map(({ content }) => content)).toEqual([
    { $case: "data", value: body },
    { $case: "text", value: "hold is done. Next: confirm, release." },
  ]);
});

test("help names every skill with the schema of its input", () => {
  const { parts, contextId } = helpAnswer(ROUTES, "");
  expect(contextId).not.toBe("");
  // It stands before a model too.
  expect(Buffer.byteLength(JSON.stringify(parts))).toBeLessThan(16 * 1024);
  const { skills } = JSON.parse(JSON.stringify(parts[0]!.content!.value));
  expect(skills.find(({ id }: { id: string }) => id === "hold").input_schema.required).toEqual([
    "quote_id",
    "idempotency_key",
  ]);
});
