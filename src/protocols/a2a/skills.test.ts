import { expect, test } from "bun:test";
import { ROUTES } from "../../app.ts";
import { compile } from "../../http/validate.ts";
import { toolsOf } from "../tools/catalogue.ts";
import { skillsOf } from "./skills.ts";

const TOOLS = toolsOf(ROUTES);
const SKILLS = skillsOf(ROUTES);

test("every tool is a skill, and its example is a data part that its input allows", () => {
  expect(SKILLS.map(({ id }) => id)).toEqual(TOOLS.map(({ id }) => id));
  for (const { input, ...tool } of TOOLS) {
    const { examples, tags } = SKILLS.find(({ id }) => id === tool.id)!;
    const example = JSON.parse(examples[0]!);
    expect(example.skill).toBe(tool.id);
    const blank = (_: string, value: unknown) =>
      typeof value === "string" && value.startsWith("<") ? "x" : value;
    const faults = compile(input)(JSON.parse(JSON.stringify(example.input), blank));
    expect({ id: tool.id, faults }).toEqual({ id: tool.id, faults: [] });
    expect(tags).not.toBeEmpty();
  }
});
