/**
 * Parameters of an OAuth request in two encodings: standard forms, which may have unknown members
 * (RFC 6749 §3.2), and JSON, which may not.
 */

import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { BODY_BYTES_MAX, readText } from "../../http/body.ts";
import { called } from "../../http/schema/annotations.ts";
import { type Body, json } from "../../http/validate.ts";
import { parseJson } from "../../lib/json.ts";

/** Members per encoding. */
export interface Encodings {
  readonly json: Body<unknown>;
  readonly form: Body<unknown>;
  readonly formNames: readonly string[];
}

/** Far more than OAuth needs; bounds the work for unauthenticated clients. */
const FORM_PARAMETERS_MAX = 32;

export type Parameters<Name extends string = string> = { readonly [K in Name]?: string };

export type ParametersReading =
  | { readonly ok: true; readonly parameters: Parameters }
  /** For `error_description`. */
  | { readonly ok: false; readonly problem: string };

/**
 * The encodings of a route: both have the members of `shape`, the form also those of `formOnly`.
 */
export function encodingsOf(
  shape: Record<string, TSchema>,
  formOnly: Record<string, TSchema> = {},
  name?: string,
): Encodings {
  const form = { ...shape, ...formOnly };
  return {
    json: json(name === undefined ? closed(shape) : called(name, closed(shape))),
    form: json(closed(form)),
    formNames: Object.keys(form),
  };
}

function closed(shape: Record<string, TSchema>): TObject {
  return Type.Object(shape, { additionalProperties: false });
}

/** Reads a body of at most 64 KiB. A parameter without a value counts as missing. */
export async function readParameters(
  request: Request,
  encodings: Encodings,
): Promise<ParametersReading> {
  const reading = await readText(request, BODY_BYTES_MAX);
  if (!reading.ok) {
    const { path, message, expected } = reading.fault;
    return bad(`${path || "the body"} ${message}: ${expected.replace("≤", "at most")}`);
  }
  const { text } = reading;
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  switch (type.trim().toLowerCase()) {
    case "application/x-www-form-urlencoded":
      return fromForm(text, encodings);
    case "application/json":
      return fromJson(text, encodings);
    default:
      return bad("Content-Type must be application/x-www-form-urlencoded or application/json");
  }
}

function fromForm(text: string, { form: body, formNames }: Encodings): ParametersReading {
  if (text.split("&", FORM_PARAMETERS_MAX + 1).length > FORM_PARAMETERS_MAX) {
    return bad(`the form has more than ${FORM_PARAMETERS_MAX} parameters`);
  }
  const sent = [...new URLSearchParams(text)];
  const names = sent.map(([name]) => name);
  const repeated = new Set(names.filter((name, i) => names.indexOf(name) < i));
  if (repeated.size > 0) return bad([...repeated].map((name) => `${name} is repeated`).join("; "));
  return checked(Object.fromEntries(sent.filter(([name]) => formNames.includes(name))), body);
}

function fromJson(text: string, { json: body }: Encodings): ParametersReading {
  try {
    return checked(parseJson(text), body);
  } catch {
    return bad("the body is not well-formed JSON");
  }
}

function checked(sent: unknown, body: Body<unknown>): ParametersReading {
  const reading = body.read(sent, 0);
  if (!reading.ok) {
    return bad(
      reading.errors.map(({ path, message }) => `${path.slice(1) || "body"} ${message}`).join("; "),
    );
  }
  const given = Object.entries(reading.value as Record<string, string>).filter(
    ([, value]) => value !== "",
  );
  return { ok: true, parameters: Object.fromEntries(given) };
}

function bad(problem: string): ParametersReading {
  return { ok: false, problem };
}
