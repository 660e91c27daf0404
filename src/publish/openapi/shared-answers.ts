/**
 * Common answers as components: most of the 140 operations have the same refusals, which would
 * otherwise be a third of the document.
 */
import type { Json } from "./schema.ts";

type Operations = readonly { responses: Json }[];

/**
 * Replaces repeated refusals by references. Returns `components.responses`, named after their
 * status; the second and later ones are numbered in document order.
 */
export function shareAnswers(operations: Operations): Json {
  const counts = new Map<string, number>();
  for (const [status, answer] of answersOf(operations)) {
    const text = textOf(status, answer);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const shared: Json = {};
  for (const [status, answer, responses] of answersOf(operations)) {
    const text = textOf(status, answer);
    if (counts.get(text) === 1) continue;
    let name = names.get(text);
    if (name === undefined) {
      name = freeName(`Answer${status}`, shared);
      names.set(text, name);
      shared[name] = answer;
    }
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

function* answersOf(operations: Operations): Generator<[string, unknown, Json]> {
  for (const { responses } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      if (!status.startsWith("2") || status === "2XX") yield [status, answer, responses];
    }
  }
}

function textOf(status: string, answer: unknown): string {
  return `${status} ${JSON.stringify(answer)}`;
}

function freeName(name: string, taken: Json): string {
  if (!(name in taken)) return name;
  let n = 2;
  while (`${name}.${n}` in taken) n += 1;
  return `${name}.${n}`;
}
