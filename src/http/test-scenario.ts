/**
 * `Test-Scenario: <code>`: in test mode a call that passes its checks is refused with this code,
 * so that a client's recovery can be tried; see `simulate.ts`.
 */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import type { Mode } from "../../engine/core/supply.ts";
import { SIMULATED_CODES } from "../refusals/simulated.ts";
import type { Contract } from "./contract.ts";
import { refusalCodesOf } from "./refusal-codes.ts";
import type { FieldError } from "./validate.ts";

const HEADER = "Test-Scenario";

export interface ScenarioReading {
  /** The code to refuse with; null without the header, or for a wrong one. */
  readonly code: RefusalCode | null;
  readonly errors: readonly FieldError[];
}

const NONE: ScenarioReading = { code: null, errors: [] };

/** The codes that a caller of test mode can ask a route for. */
export function scenariosOf(route: Contract): readonly RefusalCode[] {
  const declared = refusalCodesOf(route);
  return SIMULATED_CODES.filter((code) => declared.includes(code));
}

/**
 * The header of a request. `mode` is that of the credential, undefined on public routes; their
 * documents have no refusal to give and ignore it.
 */
export function readScenario(
  { headers }: Request,
  route: Contract,
  mode: Mode | undefined,
): ScenarioReading {
  const asked = headers.get(HEADER);
  if (asked === null) return NONE;
  const fault = (message: string, expected: string): ScenarioReading => {
    return { code: null, errors: [{ path: HEADER, message, expected }] };
  };
  const codes = scenariosOf(route);
  if (mode === undefined && !codes.includes("validation_failed")) return NONE;
  if (mode !== "test") return fault("needs a credential of test mode", "no such header");
  const code = codes.find((each) => each === asked);
  if (code !== undefined) return { code, errors: [] };
  return fault("is not a refusal of this call", `one of ${codes.join(", ")}`);
}
