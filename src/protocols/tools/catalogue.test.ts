import { expect, test } from "bun:test";
import { ROUTES } from "../../app.ts";
import { toolsOf } from "./catalogue.ts";
import { FLOWS } from "./flows.ts";

const TOOLS = toolsOf(ROUTES);

test("every tool is a route, and takes a key, a token and parameters as the route does", () => {
  for (const { route, ...tool } of TOOLS) {
    expect(route.tool).toBeDefined();
    const names = Object.keys(tool.input.properties);
    expect(tool.needsDelegation).toBe(route.isDelegated === true);
    expect(names.includes("delegation_token")).toBe(tool.needsDelegation);
    expect(tool.takesKey).toBe(route.key !== undefined);
    expect(names.includes("idempotency_key")).toBe(tool.takesKey);
    const isKeyRequired = tool.input.required?.includes("idempotency_key") === true;
    expect(isKeyRequired).toBe(route.key === "required");
    const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    expect(Object.keys(tool.pathArguments)).toEqual(parameters);
    for (const name of tool.queryArguments) expect(Object.keys(route.query ?? {})).toContain(name);
    for (const name of [...Object.values(tool.pathArguments), ...tool.queryArguments]) {
      expect(names).toContain(name);
    }
  }
});

test("what a tool takes beyond that is the body of its route", () => {
  for (const { route, ...tool } of TOOLS.filter(({ route }) => route.body && route.key)) {
    const own = [...Object.values(tool.pathArguments), "delegation_token"];
    const body = Object.keys(tool.input.properties).filter((name) => !own.includes(name));
    expect(body.sort()).toEqual(Object.keys(route.body!.schema.properties).sort());
  }
});

test("inputs are closed, except a receipt that is sent back as it came", () => {
  const open = TOOLS.filter(({ input }) => input.additionalProperties !== false);
  expect(open.map(({ id }) => id)).toEqual(["verify_receipt"]);
});

test("no pattern of an input is beyond the regular expressions of other languages", () => {
  const lookarounds = TOOLS.filter(({ input }) => JSON.stringify(input).includes("(?"));
  expect(lookarounds).toEqual([]);
});

test("tools that only read change nothing, and flows are made of tools", () => {
  for (const tool of TOOLS.filter(({ isReadOnly }) => isReadOnly)) {
    expect([tool.isDestructive, tool.isOpenWorld, tool.takesKey]).toEqual([false, false, false]);
    expect(tool.isIdempotent).toBeTrue();
  }
  const ids = TOOLS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of FLOWS.flatMap(({ steps }) => steps)) expect(ids).toContain(id);
});
