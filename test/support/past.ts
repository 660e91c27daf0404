/** Reads of earlier moments. */
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "./answer.ts";
import { follow } from "./follow.ts";
import type { Service } from "./service.ts";

/** What an answer comes to: one that is not ready is asked for again by its own action. */
export async function ofPast(service: Service, answer: Answer, agent: DemoAgent): Promise<Answer> {
  let last = answer;
  while (last.status === 202) {
    const [retry] = last.ok(202).next_actions;
    last = await follow(service, retry!, agent);
  }
  return last;
}

/** The number of the last event of the operator's tenant and mode. */
export async function lastSeqOf(service: Service, agent: DemoAgent): Promise<number> {
  const figures = await service.api("GET", "/v1/admin/kpis", { agent });
  return figures.ok<{ readonly as_of: { readonly seq: number } }>().data.as_of.seq;
}
