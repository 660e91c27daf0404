import { expect, test } from "bun:test";
import { compile } from "../validate.ts";
import { closed } from "./request-parts.ts";
import { KnownCurrency, nameOf } from "./text-formats.ts";

const check = compile(closed({ name: nameOf(20), currency: KnownCurrency }));
const faults = (name: unknown, currency: unknown = "EUR") =>
  check({ name, currency }).map(({ path }) => path);

test("a name is one line and not blank", () => {
  for (const name of ["A", "Hôtel de l'Étoile", "東京ホテル", "a".repeat(20), " a "]) {
    expect({ name, faults: faults(name) }).toEqual({ name, faults: [] });
  }
  const bad = [
    "",
    " ",
    "\u00a0\u3000",
    "a\nb",
    "a\u0000",
    "\u202egnp",
    "a\u2028b",
    "a".repeat(21),
    5,
  ];
  for (const name of bad) {
    expect({ name, faults: faults(name) }).toEqual({ name, faults: ["/name"] });
  }
});

test("a currency is an active one of ISO 4217", () => {
  for (const code of ["EUR", "JPY", "KWD", "USD"]) expect(faults("A", code)).toEqual([]);
  for (const code of ["ZZZ", "DEM", "eur", "EURO", "", 5, null]) {
    expect({ code, faults: faults("A", code) }).toEqual({ code, faults: ["/currency"] });
  }
});
