/** Ready bodies of next actions, with what only the caller can know filled in. */

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `hint` with the members of `fill` in it, at any depth. */
export function filled(hint: unknown, fill: unknown): unknown {
  if (!isFields(hint) || !isFields(fill)) return fill === undefined ? hint : fill;
  const names = new Set([...Object.keys(hint), ...Object.keys(fill)]);
  return Object.fromEntries([...names].map((name) => [name, filled(hint[name], fill[name])]));
}

/** Paths of what still stands as `<what it is>`. */
export function missing(value: unknown, at = ""): string[] {
  if (typeof value === "string") return /^<.*>$/.test(value) ? [`${at} ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    missing(each, at ? `${at}.${name}` : name),
  );
}
