/**
 * One answer of the api. Asking for its success or its refusal checks the whole envelope, so every
 * test of a refusal is a test of the contract's form too.
 */
import { expect } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { METHODS, RELS } from "../../src/actions/steps.ts";
import type { FieldError } from "../../src/http/validate.ts";
import { STATUS_OF } from "./contract.ts";

export interface Receipt {
  readonly kind: string;
  readonly issuer: string;
  readonly issued_at: string;
  readonly subject: Readonly<Record<string, string | number>>;
  readonly payload_hash: string;
  readonly algorithm: string;
  readonly kid: string;
  readonly signature: string;
  readonly signatures: readonly {
    readonly alg: string;
    readonly kid: string;
    readonly signature: string;
  }[];
}

export interface Success<Data> {
  readonly data: Data;
  readonly trace_id: string;
  readonly next_actions: readonly NextAction[];
  readonly expires_at?: string;
  readonly receipt?: Receipt;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>> & {
    readonly field_errors?: readonly FieldError[];
  };
  readonly remediation: string;
  readonly retry_after: number | null;
  readonly docs_url: string;
  readonly trace_id: string;
  readonly next_actions: readonly NextAction[];
}

const ERROR_KEYS = [
  ...["code", "detail", "docs_url", "message", "next_actions", "remediation", "retry_after"],
  "trace_id",
];
const TRACE_ID = /^[0-9a-f]{32}$/;

export class Answer {
  /** Method and path, for messages. */
  readonly call: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(call: string, status: number, headers: Headers, text: string) {
    this.call = call;
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  get isReplayed(): boolean {
    return this.headers.get("idempotent-replayed") === "true";
  }

  /** The success envelope. Fails unless the status is this one and the form is the contract's. */
  ok<Data = Readonly<Record<string, unknown>>>(status = 200): Success<Data> {
    if (this.status !== status) throw new Error(this.#unlike(String(status)));
    const body = this.json as Success<Data>;
    expect(keysOf(body)).toEqual([
      "data",
      ...(body.expires_at === undefined ? [] : ["expires_at"]),
      "next_actions",
      ...(body.receipt === undefined ? [] : ["receipt"]),
      "trace_id",
    ]);
    expect(body.trace_id).toMatch(TRACE_ID);
    expectActions(body.next_actions);
    return body;
  }

  /** The error. Fails unless code, status, form and `Retry-After` are the contract's. */
  refused(code: string, status = STATUS_OF[code]): Refusal {
    const error = this.anyRefusal();
    if (error.code !== code || this.status !== status) {
      throw new Error(this.#unlike(`${status} ${code}`));
    }
    return error;
  }

  /** Whatever error it is, in the contract's form. */
  anyRefusal(): Refusal {
    if (this.status < 400) throw new Error(this.#unlike("a refusal"));
    const body = this.json as { readonly error: Refusal };
    expect(keysOf(body)).toEqual(["error"]);
    const { error } = body;
    expect(keysOf(error)).toEqual(ERROR_KEYS);
    expect(STATUS_OF).toHaveProperty(error.code);
    expect(error.trace_id).toMatch(TRACE_ID);
    expect(error.docs_url).toEndWith(`/errors/${error.code}`);
    expect(this.headers.get("retry-after")).toBe(error.retry_after?.toString() ?? null);
    expect(this.headers.get("content-type")).toStartWith("application/json");
    // RFC 9110 §15.5.2.
    expect(this.status !== 401 || this.headers.has("www-authenticate")).toBeTrue();
    expectActions(error.next_actions);
    return error;
  }

  /** The paths of a `validation_failed`, sorted. */
  faults(status = 400): string[] {
    const { detail } = this.refused("validation_failed", status);
    for (const fault of detail.field_errors!) {
      expect(keysOf(fault)).toEqual(["expected", "message", "path"]);
    }
    return detail.field_errors!.map(({ path }) => path).sort();
  }

  #unlike(wanted: string): string {
    return `${this.call}: wanted ${wanted}, got ${this.status} ${this.text.slice(0, 600)}`;
  }
}

/** Sorted names of an object's members. */
export function keysOf(value: object | null | undefined): string[] {
  return Object.keys(value ?? {}).sort();
}

/** The envelope of a tool as REST has it: without what only tools are told (`arguments`). */
export function asRest<Body>(envelope: Body): Body {
  const drop = (key: string, value: unknown) =>
    key === "next_actions" ? (value as object[]).map(restAction) : value;
  return JSON.parse(JSON.stringify(envelope), drop);
}

/** `fill_in` names arguments to a tool, and members and headers to a route. */
function restAction(action: {
  readonly tool?: string;
  readonly arguments?: object;
  readonly fill_in?: readonly object[];
}): object {
  const { tool: _tool, arguments: _arguments, fill_in: _fill, ...rest } = action;
  return rest;
}

/** `rel METHOD href` of each action, in order. */
export function steps(actions: readonly NextAction[]): string[] {
  return actions.map(({ rel, method, href }) => `${rel} ${method} ${href}`);
}

function expectActions(actions: readonly NextAction[]): void {
  for (const action of actions) {
    expect(RELS).toContain(action.rel);
    expect(METHODS).toContain(action.method);
    expect(action.href).toMatch(/^\/[^{}]*$/);
    const optional = ["body_hint", "fill_in", "changes", "cost", "expires_at"].filter(
      (name) => name in action,
    );
    expect(keysOf(action)).toEqual(["href", "method", "rel", ...optional].sort());
  }
}
