/** Answers for paths without a route. */
import { GET_INDEX } from "../actions/steps.ts";
import { type Refusal, refuse } from "./answer.ts";

/** 404 `validation_failed` (rules §2). */
export function unknownPath(path: string): Refusal {
  const expected = "a path of this service; see GET /";
  const problem = { path: "", message: "is not a route of this service", expected };
  const detail = { path: path.slice(0, 200), field_errors: [problem] };
  return refuse("validation_failed", detail, { status: 404, recovery: [GET_INDEX] });
}
