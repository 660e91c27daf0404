/** Answers held against what the OpenAPI document says of their operation. */
import { expect } from "bun:test";
import { ROUTES } from "../../src/app.ts";
import { bodyOf } from "../../src/http/schema/envelope.ts";
import { schemaFaults } from "../openapi/contract-check.ts";
import type { Answer } from "./answer.ts";

/** The answer; fails when a success in JSON has a member too few or too many. */
export function asPublished(operationId: string, answer: Answer): Answer {
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const { success } = ROUTES.byId(operationId);
  if (answer.status !== success.status || !isJson) return answer;
  const faults = schemaFaults(bodyOf(success)!, answer.json);
  expect({ call: answer.call, faults }).toEqual({ call: answer.call, faults: [] });
  return answer;
}
