import { expect, test } from "bun:test";
import { ROUTES } from "../../app.ts";
import { toolsOf } from "./catalogue.ts";
import { FLOWS } from "./flows.ts";

const TOOLS = toolsOf(ROUTES);

test("every tool is a route, with the key, token and parameters of the route", () => {
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

test("the other arguments of a tool are the body of its route", () => {
  for (const { route, ...tool } of TOOLS.filter(({ route }) => route.body && route.key)) {
    const own = [...Object.values(tool.pathArguments), "delegation_token"];
    const body = Object.keys(tool.input.properties).filter((name) => !own.includes(name));
    expect(body.sort()).toEqual(Object.keys(route.body!.schema.properties).sort());
  }
});

test("inputs are closed, except a receipt that is sent back unchanged", () => {
  const open = TOOLS.filter(({ input }) => input.additionalProperties !== false);
  expect(open.map(({ id }) => id)).toEqual(["verify_receipt"]);
});

test("every pattern of an input is valid in the regular expressions of other languages", () => {
  const lookarounds = TOOLS.filter(({ input }) => JSON.stringify(input).includes("(?"));
  expect(lookarounds).toEqual([]);
});

test("read-only tools change nothing, and flows consist of tools", () => {
  for (const tool of TOOLS.filter(({ isReadOnly }) => isReadOnly)) {
    expect([tool.isDestructive, tool.isOpenWorld, tool.takesKey]).toEqual([false, false, false]);
    expect(tool.isIdempotent).toBeTrue();
  }
  const ids = TOOLS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of FLOWS.flatMap(({ steps }) => steps)) expect(ids).toContain(id);
});
