import { expect, test } from "bun:test";
import { found, placesBegun } from "./property-finder.ts";

const place = (slug: string, name: string, city: string, country: string) => {
  return { slug, name, address: { city, country } };
};
const CASA = place("casa-azul-lisboa", "Casa Azul", "Lisboa", "PT");
const MALAGA = place("hotel-picasso", "Hotel Picasso", "Málaga", "ES");
const ALTO = place("posada-alta", "Posada Alta", "Málaga", "ES");
const ALL = [CASA, MALAGA, ALTO];

test("a property is found by the first letters of its name, city, country or slug", () => {
  for (const typed of ["casa", "Az", "lisb", "casa-azul-l", "LIS casa", "pt"]) {
    expect(found(ALL, typed)).toEqual([CASA]);
  }
  expect(found(ALL, "malaga")).toEqual([MALAGA, ALTO]);
  expect(found(ALL, "Málaga pos")).toEqual([ALTO]);
});

test("letters in the middle find no property, no letters find every one", () => {
  for (const typed of ["zul", "casa malaga", "?"]) {
    expect(found(ALL, typed)).toEqual(typed === "?" ? ALL : []);
  }
  expect(found(ALL, " ")).toEqual(ALL);
});

test("matching places are listed once each", () => {
  expect(placesBegun(ALL, "mala")).toEqual(["Málaga"]);
  expect(placesBegun(ALL, "")).toEqual([
    ...["Casa Azul", "Hotel Picasso", "Lisboa", "Málaga", "Posada Alta"],
  ]);
  expect(placesBegun(ALL, "zz")).toEqual([]);
});
