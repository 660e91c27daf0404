/** One property of an import: read, matched with an existing property, and sent. */
import type { Outcome, PromotionReason } from "../../../engine/core/outcomes.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { PropertyTree } from "../../../engine/core/supply.ts";
import type { Packed } from "../../../jobs/lanes/queues.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { commandId } from "../../access/privacy/personal-data.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { DEADLINE_MS } from "../../http/execute.ts";
import { untilFresh } from "../../http/freshness.ts";
import { type FieldError, json, type Reading } from "../../http/validate.ts";
import { propertyMeant } from "../visible.ts";
import { completeTree } from "./complete-tree.ts";
import { charsOfTree, replacedTree } from "./edited-tree.ts";
import { bodyAfter, pointerInLine } from "./import-body.ts";
import type { ImportedNames } from "./import-names.ts";
import { PropertyBody } from "./requests.ts";
import { treeProblems } from "./tree-problems.ts";

/** Errors reported per property, to bound the answer. */
const TOLD_MAX = 20;
/** More than are reported, since a table sorts its errors first; locating one scans a list. */
const PLACED_MAX = 100;
const PROPERTY = json(PropertyBody);

export interface ItemError {
  readonly code: string;
  readonly detail: unknown;
}

/** The result of a line: a property or an error. */
export interface Item {
  readonly line: number;
  /** Absent in a dry run that would create the property. */
  readonly property_id?: string;
  readonly slug?: string;
  readonly result?: "created" | "updated" | "unchanged";
  /** Result of a promotion. */
  readonly warnings?: readonly PromotionReason[];
  /** Number of warnings that are not listed. */
  readonly more_warnings?: number;
  readonly oversold_nights?: number;
  readonly error?: ItemError;
}

/** A property as an import brings it. */
export interface SentProperty {
  readonly line: number;
  readonly body: unknown;
  /** Its length as JSON, in characters. */
  readonly chars: number;
  /** All its errors, at the sender's positions; some are known without the body. */
  readonly errorsWith: (faults: readonly FieldError[]) => readonly FieldError[];
  /** Converts a pointer into the body to the sender's position. */
  readonly placed: (pointer: string) => string;
}

/** The error of a property with these field errors, up to the limit. */
export function faulty(errors: readonly FieldError[]): ItemError {
  const field_errors = errors.slice(0, TOLD_MAX);
  const more = errors.length - field_errors.length;
  const detail = more > 0 ? { field_errors, more_field_errors: more } : { field_errors };
  return { code: "validation_failed", detail };
}

/** New ids derive from the request's key, so that a retry makes the same ids. */
function uuidsFor(call: Call, line: number): () => string {
  if (call.key === null) return () => crypto.randomUUID();
  const { tenant_id, agent_id } = call.principal;
  let count = 0;
  return () => {
    const scope = `import-id ${agent_id} ${line} ${count++}`;
    const hex = commandId(call.context.keys.hmac, tenant_id, scope, call.key!);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`];
    return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
  };
}

/** Whether the import is a dry run. */
export function isTried({ query }: Call): boolean {
  return query.get("dry_run") === "true";
}

/** A line with its new tree and the existing property. */
interface Made {
  readonly sent: SentProperty;
  readonly known: PropertyEntry | null;
  readonly tree: PropertyTree;
  readonly whole: unknown;
  readonly byKind: readonly string[];
}

/**
 * Imports one property and notes its names. If another change of the property comes between
 * reading and writing it, the line is read again, for as long as a client waits.
 *
 * @throws NoOutcome when the engine does not answer in time.
 */
export async function importProperty(
  call: Call,
  sent: SentProperty,
  names: ImportedNames,
): Promise<Item> {
  const { line } = sent;
  const endMs = performance.now() + DEADLINE_MS;
  for (;;) {
    await untilFresh(call.context.replica);
    const made = treeAfter(call, sent);
    if (!made.ok) return { line, error: faulty(sent.errorsWith(made.errors)) };
    const errors = sent.errorsWith([]);
    if (errors.length > 0) return { line, error: faulty(errors) };
    const { tree } = made.value;
    const taken = names.taken(tree);
    if (taken) return { line, error: { code: "conflict", detail: taken } };
    const options = { deadlineMs: DEADLINE_MS, bytes: charsOfTree(tree) + sent.chars };
    const command = commandFor(call, made.value);
    const { outcome, replayed } = await call.context.submitter.submit(command, options);
    if (!replayed && isOvertaken(outcome) && performance.now() < endMs) continue;
    if (outcome.ok) names.add(tree, line);
    return itemOf(made.value, outcome);
  }
}

/** The tree after a line, or all its errors. */
function treeAfter(call: Call, sent: SentProperty): Reading<Made> {
  const known = propertyMeant(call, sent.body);
  const { body, byKind } = bodyAfter(sent.body, known?.tree ?? null);
  const reading = PROPERTY.read(body, call.context.timeIn(call.principal));
  const inLine = (errors: readonly FieldError[]) =>
    errors.map((error, i) => {
      if (i >= PLACED_MAX) return error;
      return { ...error, path: pointerInLine(error.path, body, sent.body) };
    });
  if (!reading.ok) return { ok: false, errors: inLine(reading.errors) };
  const newUuid = uuidsFor(call, sent.line);
  const made = known
    ? replacedTree(known.tree, reading.value, newUuid)
    : checked(completeTree(reading.value, newUuid));
  if (!made.ok) return { ok: false, errors: inLine(made.errors) };
  return { ok: true, value: { sent, known, tree: made.value, whole: body, byKind } };
}

function checked(tree: PropertyTree): Reading<PropertyTree> {
  const errors = treeProblems(tree);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: tree };
}

function commandFor(call: Call, { sent, known, tree }: Made): Packed {
  const { line, body } = sent;
  const command = {
    ...commandMeta({ ...call, key: call.key && `${call.key}#${line}`, sent: body }),
    dry_run: isTried(call),
    payments_configured: missingForPayments(call.context.config) === null,
    tree,
  };
  if (known === null) return { ...command, type: "CreateProperty" };
  const at = { property_id: tree.id, base_version: known.version, expected_version: null };
  return { ...command, ...at, type: "ReplaceProperty" };
}

function isOvertaken(outcome: Outcome): boolean {
  return !outcome.ok && outcome.detail.reason === "version_mismatch";
}

function itemOf(made: Made, outcome: Outcome): Item {
  const { line } = made.sent;
  if (!outcome.ok) return { line, error: refusedAs(made, outcome) };
  if (outcome.kind !== "property" && outcome.kind !== "property_replaced") {
    throw new Error(`unexpected outcome ${outcome.kind}`);
  }
  const { property_id, slug, dry_run, warnings = [] } = outcome.data;
  const isNew = outcome.kind === "property";
  const result = isNew ? "created" : outcome.data.changed ? "updated" : "unchanged";
  const oversold_nights = isNew ? undefined : outcome.data.oversold_nights;
  return {
    line,
    ...((!isNew || !dry_run) && { property_id }),
    ...{ slug, result },
    ...warned(made, warnings),
    ...(oversold_nights && { oversold_nights }),
  };
}

/** Warnings of a line: default terms of a kind, then the result of a promotion. */
function warned(made: Made, reasons: readonly PromotionReason[]) {
  const all = [...made.byKind.map(policyByKind), ...reasons];
  const warnings = placedIn(made, all.slice(0, TOLD_MAX));
  const more = all.length - warnings.length;
  return { warnings, ...(more > 0 && { more_warnings: more }) };
}

function policyByKind(plan: string): PromotionReason {
  const message =
    "No terms are given, so the kind's terms apply: nothing is refunded after booking.";
  const path = `${plan}/cancellation_kind`;
  return { code: "policy_by_kind", path, severity: "warning", message };
}

/** Reasons with the sender's positions. */
function placedIn(
  { sent, whole }: Made,
  reasons: readonly PromotionReason[],
): readonly PromotionReason[] {
  return reasons.map((reason) => {
    return { ...reason, path: sent.placed(pointerInLine(reason.path, whole, sent.body)) };
  });
}

function refusedAs(made: Made, { code, detail }: Extract<Outcome, { ok: false }>): ItemError {
  const { reasons } = detail as { readonly reasons?: readonly PromotionReason[] };
  return { code, detail: reasons ? { ...detail, reasons: placedIn(made, reasons) } : detail };
}
