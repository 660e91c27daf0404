/**
 * Goal: a list as a table has a column for every value of its items, follows RFC 4180, and is sent
 * only on request. Method: a route of its own with nested, absent and hostile values.
 */
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Asked } from "./call.ts";
import { renderTable } from "./render-table.ts";
import { listOf, Money, named, orNull } from "./schema/answer-parts.ts";

const Item = named("Item", "An item.", {
  id: Type.String(),
  total: Money,
  guest: orNull(Type.Object({ name: Type.String(), tags: Type.Array(Type.String()) })),
  note: Type.Optional(Type.String()),
});
const success = { status: 200, description: "Items.", data: listOf(Item) } as const;
const route = { id: "list_items", method: "GET", success };
const items = [
  {
    id: "a",
    total: { amount: 1_200, currency: "EUR" },
    guest: { name: 'Ada "L", Countess', tags: ["x", "y"] },
    note: "=1+1",
  },
  { id: "b", total: { amount: 0, currency: "JPY" }, guest: null },
];

function asked(accept: string, query: Record<string, string> = {}): Asked {
  const request = new Request("http://inn.example/", { headers: { accept } });
  const call = { route, request, traceId: "t", query: new Map(Object.entries(query)) };
  return call as unknown as Asked;
}

test("each value of an item has its column, and no text begins a formula", async () => {
  const response = await renderTable(asked("text/csv"), { ok: true, data: { items } });
  expect(response.headers.get("content-type")).toStartWith("text/csv");
  expect(response.headers.get("content-disposition")).toContain('filename="list_items.csv"');
  expect(await response.text()).toBe(
    [
      "id,total.amount,total.currency,guest.name,guest.tags,note",
      'a,1200,EUR,"Ada ""L"", Countess","[""x"",""y""]",\'=1+1',
      "b,0,JPY,,,",
      "",
    ].join("\r\n"),
  );
});

test("the format of the query precedes Accept, and CSV is sent only on request", async () => {
  for (const [call, type] of [
    [asked("text/csv", { format: "json" }), "application/json"],
    [asked("application/json", { format: "csv" }), "text/csv"],
    [asked("*/*"), "application/json"],
  ] as const) {
    const response = await renderTable(call, { ok: true, data: { items } });
    expect(response.headers.get("content-type")).toStartWith(type);
  }
});

test("an answer that is not a list names the rows of its table", async () => {
  const rows = Type.Object({ day: Type.String(), sold: Type.Integer() });
  const call = { ...asked("text/csv"), route: { ...route, success: { ...success, rows } } };
  const answer = { ok: true, data: {}, rows: [{ day: "2027-01-31", sold: 3 }] } as const;
  const response = await renderTable(call as unknown as Asked, answer);
  expect(await response.text()).toBe("day,sold\r\n2027-01-31,3\r\n");
});
