/** Versions of one JSON value, kept as what they have in common and what they have not. */

/**
 * `after`, each part that is as it was in `before` being that very object; `before` itself when
 * they are the same. So another version costs memory for what changed alone, and whether anything
 * did is told by `===`. Members of lists are compared place by place.
 */
export function sharing<T>(before: T, after: T): T {
  return shared(before, after) as T;
}

type Parts = Readonly<Record<string, unknown>>;

function shared(before: unknown, after: unknown): unknown {
  if (!isParts(before) || !isParts(after)) return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  const names = Object.keys(after);
  let isSame = names.length === Object.keys(before).length;
  const parts = names.map((name) => {
    const part = shared(before[name], after[name]);
    isSame &&= Object.hasOwn(before, name) && part === before[name];
    return [name, part] as const;
  });
  if (isSame) return before;
  return Array.isArray(after) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

function isParts(value: unknown): value is Parts {
  return typeof value === "object" && value !== null;
}
