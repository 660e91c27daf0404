/**
 * The tools of the service as A2A skills. A skill is called with one data part
 * `{"skill": id, "input": {…}}`; the examples are such parts, ready to send.
 */
import type { Routes } from "../../http/route-table.ts";
import { toolsOf } from "../tools/catalogue.ts";

/** An A2A `AgentSkill` (A2A §4.4.5), which spec 4.2.3 shows with the same members. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
}

/** Every tool as a skill, in the order of the tools. */
export function skillsOf(routes: Routes): Skill[] {
  return toolsOf(routes).map(({ id, title: name, description, tags, example: input }) => {
    return { id, name, description, tags, examples: [JSON.stringify({ skill: id, input })] };
  });
}
