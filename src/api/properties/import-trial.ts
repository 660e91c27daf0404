/**
 * An import that is only tried. Nothing is made of a line, so the engine cannot say that a later
 * one is in its way; that is found here.
 */

/** What the engine says that a line would come to. */
interface Judged {
  readonly line: number;
  readonly property_id?: string;
  readonly slug?: string;
  readonly error?: { readonly code: string; readonly detail: unknown };
}

export class ImportTrial {
  /** Slugs and ids of the properties that earlier lines would make → the line. */
  readonly #slugs = new Map<string, number>();
  readonly #ids = new Map<string, number>();

  /** The line beside all before it. Of an id that nothing has yet nothing is told, but its slug. */
  judged(item: Judged): Judged {
    const { line, property_id, slug } = item;
    // Refused, or made in earnest before under the same key.
    if (property_id === undefined || slug === undefined) return item;
    const sameId = this.#ids.get(property_id);
    const sameSlug = this.#slugs.get(slug);
    if (sameId !== undefined) return taken(line, { reason: "id_taken", property_id, line: sameId });
    if (sameSlug !== undefined) return taken(line, { reason: "slug_taken", slug, line: sameSlug });
    this.#ids.set(property_id, line);
    this.#slugs.set(slug, line);
    return { line, slug };
  }
}

/** As the engine refuses it, but that no property is in the way yet. */
function taken(line: number, detail: object): Judged {
  return { line, error: { code: "conflict", detail } };
}
