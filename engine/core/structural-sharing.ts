/** Versions of one JSON value that share equal parts. */

/**
 * `after`, with every part that equals that of `before` replaced by the same object; `before`
 * itself when they are equal. So a new version costs memory only for changes, and `===` tells
 * whether there are any. Items of lists are compared by index.
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
 * How a version differs from the one before: 0 for the same object, `[value]` for a replaced part,
 * and an object of member differences for a part that changed within. Stored versions so cost only
 * what changed.
 */
export type Difference = 0 | readonly [unknown] | { readonly [name: string]: Difference };

/** How `after`, made by `structuralSharing`, differs from `before`. */
export function differenceOf(before: unknown, after: unknown): Difference {
  if (before === after) return 0;
  if (!isParts(before) || !isParts(after)) return [after];
  if (Array.isArray(before) !== Array.isArray(after)) return [after];
  const members = Object.entries(after).map(([name, part]): [string, Difference] => {
    return [name, Object.hasOwn(before, name) ? differenceOf(before[name], part) : [part]];
  });
  return Object.fromEntries(members);
}

/** The version after `before`, sharing equal parts with it. */
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
