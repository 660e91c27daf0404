/** Long lists, a page at a time. */
import { textQuery } from "./console-route.ts";
import type { Visit } from "./visit.ts";

const SKIP = "skip";
const SKIPPED = textQuery("How many are left out before the first.");

/** The parameter of pages with such a list. */
export const SKIP_QUERY = { [SKIP]: SKIPPED };

/** The parameter of one of several lists of a page. */
export function skipName(list: string): string {
  return `${SKIP}_${list}`;
}

/** The parameters of pages with several such lists. */
export function skipQuery(lists: readonly string[]) {
  return Object.fromEntries(lists.map((list) => [skipName(list), SKIPPED]));
}

export interface PageOf<T> {
  readonly items: readonly T[];
  /** `1 to 200 of 431`; null where all are shown. */
  readonly words: string | null;
  /** Query of the next page; null on the last one. */
  readonly next: string | null;
}

/** The part of a list that the address asks for by `name`, where a page has several lists. */
export function pageOf<T>(
  { call: { query } }: Visit,
  all: readonly T[],
  size: number,
  name: string = SKIP,
): PageOf<T> {
  const asked = Math.trunc(Number(query.get(name) ?? 0));
  const from = asked > 0 && asked < all.length ? asked : 0;
  const items = all.slice(from, from + size);
  const kept = [...query].filter(([each]) => each !== name);
  const until = from + items.length;
  return {
    items,
    words: items.length < all.length ? `${from + 1} to ${until} of ${all.length}` : null,
    next: until < all.length ? `?${new URLSearchParams([...kept, [name, String(until)]])}` : null,
  };
}

interface NextOf {
  /** Address of the page, with the root of the service. */
  readonly path: string;
  /** Null on the last page. */
  readonly next: string | null;
  /** What is there; `Next` by default. */
  readonly children?: string;
}

/** The way to the next page of a list. */
export function Next({ path, next, children = "Next" }: NextOf) {
  if (next === null) return null;
  return (
    <p class="next">
      <a href={path + next} rel="next">
        {children}
      </a>
    </p>
  );
}
