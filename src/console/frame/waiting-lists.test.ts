/** Goal: no list hides what is in it, and much work is no error. */
import { expect, test } from "bun:test";
import { render } from "preact-render-to-string";
import { tooMany } from "../../api/desk/lists.ts";
import { invalid, type Refusal } from "../../http/answer.ts";
import type { ApiError } from "./api-error.ts";
import type { Visit } from "./visit.ts";
import { askedOf, partOf, Section } from "./waiting-lists.tsx";

interface Row {
  readonly id: string;
}

function visitWith(query: Readonly<Record<string, string>> = {}): Visit {
  return { call: { query: new Map(Object.entries(query)) } } as unknown as Visit;
}

function errorOf({ code, detail }: Refusal): ApiError {
  const words = { message: "It was refused.", remediation: "Change it.", trace_id: "t1" };
  return { code, detail: detail ?? {}, ...words, retry_after: null, next_actions: [] };
}

function shown(list: Parameters<typeof partOf<Row>>[2], query = {}): string {
  const columns = [{ head: "Id", cell: ({ id }: Row) => id }];
  const part = partOf(visitWith(query), "open", list);
  const of = { title: "Open", word: "incident", path: "/x", part, columns };
  return render(Section({ ...of, keyOf: ({ id }) => id }));
}

test("more than the API lists is said plainly, with the way to see some, and is no error", () => {
  const html = shown({ ok: false, error: errorOf(tooMany("?opened_from", "incidents")) });
  expect(html).toContain("more than 10000 incidents");
  expect(html).toContain("Choose dates");
  expect(html).not.toContain("validation_failed");
});

test("any other refusal is shown as it is", () => {
  const other = invalid([{ path: "?state", message: "is unknown", expected: "a state" }]);
  const html = shown({ ok: false, error: errorOf(other) });
  expect(html).toContain("validation_failed");
  expect(html).not.toContain("Choose dates");
});

test("each list of a page has its own pages, and every row is on one of them", () => {
  const items = Array.from({ length: 401 }, (_, nth) => ({ id: `r${nth}` }));
  const list = { ok: true, data: { items }, actions: [] } as const;
  const rows = (html: string) => [...html.matchAll(/<tr id="(\w+)"/g)].map(([, id]) => id!);
  const first = shown(list, { skip_other: "200" });
  expect(first).toContain("of which 1 to 200 of 401");
  expect(first).toContain('href="/x?skip_other=200&amp;skip_open=200"');
  const others = ["200", "400"].map((skip_open) => shown(list, { skip_open }));
  expect([first, ...others].flatMap(rows)).toEqual(items.map(({ id }) => id));
  expect(others[1]).not.toContain('rel="next"');
});

test("both days of the filter are whole days, and what is no day is none", () => {
  const names = ["opened_from", "opened_before"] as const;
  const asked = (query: Readonly<Record<string, string>>) => askedOf(visitWith(query), names);
  expect(asked({ from: "2026-12-31", until: "2026-12-31", property_id: "p" })).toEqual({
    ...{ property_id: "p", opened_from: "2026-12-31T00:00:00.000Z" },
    opened_before: "2027-01-01T00:00:00.000Z",
  });
  expect(asked({ from: "2026-02-31", until: "soon" })).toEqual({});
});
