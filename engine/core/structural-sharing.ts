/** Versions of one JSON value, kept as what they have in common and what they have not. */

/**
 * `after`, each part that is as it was in `before` being that very object; `before` itself when
 * they are the same. So another version costs memory for what changed alone, and whether anything
 * did is told by `===`. Members of lists are compared place by place.
 */
export function structuralSharing<T>(before: T, after: T): T {
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

/**
 * What a version that shares with the one before it has of its own: 0 where a part is that very
 * object, `[value]` in the place of another, and of a part that changed within, that of each of its
 * members. Versions that are stored so cost what changed, as they do in memory.
 */
export type Difference = 0 | readonly [unknown] | { readonly [name: string]: Difference };

/** How `after`, which came of `sharing` with `before`, differs from it. */
export function differenceOf(before: unknown, after: unknown): Difference {
  if (before === after) return 0;
  if (!isParts(before) || !isParts(after)) return [after];
  if (Array.isArray(before) !== Array.isArray(after)) return [after];
  const members = Object.entries(after).map(([name, part]): [string, Difference] => {
    return [name, Object.hasOwn(before, name) ? differenceOf(before[name], part) : [part]];
  });
  return Object.fromEntries(members);
}

/** The version after `before`, sharing with it what they have in common. */
export function versionAfter<T>(before: T, difference: Difference): T {
  return made(before, difference) as T;
}

function made(before: unknown, difference: Difference): unknown {
  if (difference === 0) return before;
  if (isWhole(difference)) return difference[0];
  const parts = Object.entries(difference).map(([name, part]) => {
    return [name, made((before as Parts)[name], part)] as const;
  });
  return Array.isArray(before) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

function isWhole(difference: Difference): difference is readonly [unknown] {
  return Array.isArray(difference);
}
