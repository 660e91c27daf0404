/** Checks whether partners accept a document: its kind, contents and faults. */
import type { Position } from "../position.ts";
import { type DocumentKind, documentKindOf, positionIn } from "../reading/document.ts";
import { type Part, partsOf } from "../reading/parts.ts";
import { AriCheck, type AriFacts } from "./ari.ts";
import { type Finding, Findings } from "./findings.ts";
import { ListCheck, type ListFacts } from "./list.ts";
import { PointOfSaleCheck, type PointOfSaleFacts } from "./point-of-sale.ts";

export interface Checked {
  readonly kind: DocumentKind | null;
  readonly position: Position | null;
  readonly facts: AriFacts | ListFacts | PointOfSaleFacts | null;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The listed or priced properties. */
  readonly propertyIds: ReadonlySet<string>;
}

function checkOf(kind: DocumentKind, findings: Findings) {
  if (kind === "ari") return new AriCheck(findings);
  return kind === "hotel-list" ? new ListCheck(findings) : new PointOfSaleCheck(findings);
}

class Reading {
  readonly findings = new Findings();
  position: Position | null = null;
  isBroken = false;
  kind: DocumentKind | null = null;
  check: ReturnType<typeof checkOf> | null = null;

  take(part: Part, nowMs: number): void {
    if (part.kind === "fault") {
      this.isBroken = true;
      this.findings.fault("not_well_formed", part.what);
    } else if (part.kind === "comment") this.position ??= positionIn(part.text);
    else if (part.kind === "element") this.check?.element(part.name, part.element);
    else this.#root(part.name, part.attributes, nowMs);
  }

  #root(name: string, attributes: Readonly<Record<string, string>>, nowMs: number): void {
    this.kind = documentKindOf(name);
    if (this.kind === null) {
      this.findings.fault("unknown_document", `<${name}>`);
      return;
    }
    this.check = checkOf(this.kind, this.findings);
    if (this.check instanceof AriCheck) this.check.root(attributes, nowMs);
  }
}

/** Reads a document once, in constant memory. */
export async function checkDocument(
  bytes: AsyncIterable<Uint8Array>,
  nowMs: number,
): Promise<Checked> {
  const reading = new Reading();
  for await (const part of partsOf(bytes)) reading.take(part, nowMs);
  const { check, findings, isBroken, kind, position } = reading;
  // A truncated document is not checked as a whole.
  const facts = isBroken ? null : (check?.end() ?? null);
  return {
    kind,
    position,
    facts,
    faults: findings.faults(),
    warnings: findings.warnings(),
    propertyIds: new Set(check instanceof PointOfSaleCheck ? [] : check?.ids()),
  };
}

/** Checks a hotel list and its prices against each other. */
export function checkTogether(list: Checked, ari: Checked) {
  const findings = new Findings();
  for (const id of ari.propertyIds) {
    if (!list.propertyIds.has(id)) findings.fault("not_listed", id);
  }
  for (const id of list.propertyIds) {
    if (!ari.propertyIds.has(id)) findings.warning("no_prices", id);
  }
  return { faults: findings.faults(), warnings: findings.warnings() };
}
