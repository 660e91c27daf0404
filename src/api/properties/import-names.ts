/**
 * The properties named by the lines of one import. A property is imported once: a second line of it
 * is rejected, also in a dry run.
 */
import type { PropertyTree } from "../../../engine/core/supply.ts";

type Names = Pick<PropertyTree, "id" | "slug" | "external_code">;

/** Detail of the conflict with an earlier line. */
export interface NameTaken {
  readonly reason: "id_taken" | "slug_taken" | "external_code_taken";
  readonly line: number;
  readonly property_id?: string;
  readonly slug?: string;
  readonly external_code?: string;
}

export class ImportedNames {
  readonly #lines = new Map<string, number>();

  /** The refusal of names used by an earlier line; null if unused. */
  taken({ id, slug, external_code }: Names): NameTaken | null {
    const [byId, bySlug] = [this.#lines.get(`id ${id}`), this.#lines.get(`slug ${slug}`)];
    if (byId !== undefined) return { reason: "id_taken", property_id: id, line: byId };
    if (bySlug !== undefined) return { reason: "slug_taken", slug, line: bySlug };
    const byCode = this.#lines.get(`code ${external_code}`);
    if (external_code === undefined || byCode === undefined) return null;
    return { reason: "external_code_taken", external_code, line: byCode };
  }

  /** Notes the names of a successful line. */
  add({ id, slug, external_code }: Names, line: number): void {
    this.#lines.set(`id ${id}`, line);
    this.#lines.set(`slug ${slug}`, line);
    if (external_code !== undefined) this.#lines.set(`code ${external_code}`, line);
  }
}
