/** Goal: the front page shows what a person decides by, and escapes all input. */
import { expect, test } from "bun:test";
import { htmlOf } from "../../pages/document.tsx";
import type { DemoSearch, Found } from "./demo-search.ts";
import { homePage } from "./page.tsx";

const CONFIG = { baseUrl: "http://localhost:3000/inn" } as Parameters<typeof homePage>[0];
const FORM = { destination: "Gràcia", check_in: "2026-12-23", check_out: "2026-12-24", adults: 2 };
const OFFER = {
  ...{ room_type_name: "Double", bed_type: "1 queen bed", sellable: 9 },
  ...{ currency: "EUR", total: 11_500, due_now: 10_000, due_at_property: 1_500 },
};
const HOTEL: Found = {
  ...{ hotel_id: "h", name: "Casa", image: null, explanation: ["Cheapest of 1"] },
  best_offer: OFFER,
};
const KNOWN = { kind: "city", country: "ES", properties: 1 } as const;

const shown = (over: Partial<DemoSearch>) => {
  const found = { results: [], suggestions: [], actions: [], fault: null };
  return htmlOf(homePage(CONFIG, { form: FORM, places: [], body: {}, ...found, ...over }).main);
};
const offered = (best_offer: Partial<Found["best_offer"]>) =>
  shown({ results: [{ ...HOTEL, best_offer: { ...OFFER, ...best_offer } }] });

test("a hotel's price is that of the stay, with due dates and the number of rooms left", () => {
  const usual = offered({});
  expect(usual).toContain("<b>€115.00</b> for 1 night<");
  expect(usual).toContain("€100.00 due now, €15.00 at the hotel");
  expect(usual).not.toContain(" left");
  expect(offered({ sellable: 2 })).toContain("Double · 1 queen bed · 2 left");
  expect(offered({ due_at_property: 0 })).toContain("all due now");
  expect(offered({ due_now: 0 })).toContain("all due at the hotel");
});

test("a hotel's picture is shown if its address can be loaded", () => {
  const pictured = (image: string) => shown({ results: [{ ...HOTEL, image }] });
  expect(pictured('https://cdn.casa.es/1.jpg?a="b')).toContain('src="https://cdn.casa.es/1.jpg?a=');
  for (const none of ["https://images.innkeep.example/1.jpg", "http://cdn.casa.es/1.jpg"]) {
    expect(pictured(none)).not.toContain('class="picture"');
  }
});

test("an unknown place gives links to known ones with the rest of the form, as plain text", () => {
  const suggestions = [{ ...KNOWN, value: "Reus & <i>, Spain", name: "Reus" }];
  const html = shown({ form: { ...FORM, destination: '"><script>' }, suggestions });
  expect(html).toContain("No place is known as “&quot;>&lt;script>”.");
  expect(html).not.toContain("<script>");
  const link = '<a href="/inn/?destination=Reus+%26+%3Ci%3E%2C+Spain&amp;check_in=2026-12-23&amp;';
  expect(html).toContain(link);
  expect(html).toContain(">Reus &amp; &lt;i>, Spain</a> (1 hotel)");
  expect(shown({ form: { ...FORM, destination: "geo:0,0" }, suggestions })).toContain(
    "There is no hotel around “geo:0,0”.",
  );
});
