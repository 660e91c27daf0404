import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Point } from "./geo-uri.ts";
import { distanceM, Grid } from "./grid.ts";

function gridOf(points: readonly Point[]): Grid {
  const grid = new Grid();
  points.forEach((point, ordinal) => {
    grid.put(ordinal, point);
  });
  return grid;
}

test("distances are those on a sphere of the earth's size, across the date line and the poles", () => {
  const barcelona = { lat: 41.3874, lng: 2.1686 };
  const madrid = { lat: 40.4168, lng: -3.7038 };
  expect(distanceM(barcelona, madrid)).toBeWithin(504_000, 507_000);
  expect(distanceM({ lat: 0, lng: 179.99 }, { lat: 0, lng: -179.99 })).toBe(2_224);
  expect(distanceM({ lat: 89.99, lng: 0 }, { lat: 89.99, lng: 180 })).toBe(2_224);
  expect(distanceM({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBe(20_015_114);
  expect(distanceM(madrid, madrid)).toBe(0);
});

const anywhere = fc.record({
  lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 89.95, 90)),
  lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180)),
});
test("a circle contains the points within its radius, wherever it lies", () => {
  const offset = fc.oneof(
    fc.double({ min: -2.5, max: 2.5, noNaN: true }),
    fc.double({ min: -0.1, max: 0.1, noNaN: true }),
  );
  const offsets = fc.array(fc.tuple(offset, offset), { minLength: 1, maxLength: 200 });
  const radius = fc.oneof(fc.constantFrom(0, 5_000, 15_000), fc.integer({ min: 1, max: 200_000 }));
  fc.assert(
    fc.property(anywhere, offsets, radius, (point, around, radiusM) => {
      const points = around.map(([dLat, dLng]) => ({
        lat: Math.max(-90, Math.min(90, point.lat + dLat)),
        lng: ((point.lng + dLng + 540) % 360) - 180,
      }));
      const near = gridOf(points).within({ point, radiusM });
      const expected = points.flatMap((each, ordinal) => {
        const distance = distanceM(point, each);
        return distance <= radiusM ? [{ ordinal, distance }] : [];
      });
      expect(near).toEqual({
        ordinals: expected.map(({ ordinal }) => ordinal),
        distances: expected.map(({ distance }) => distance),
      });
    }),
  );
});

test("the edge of the circle is within it, and dropped points are not", () => {
  const [here, there] = [
    { lat: 10, lng: 10 },
    { lat: 10.01, lng: 10 },
  ];
  const grid = gridOf([here, there, there]);
  const radiusM = distanceM(here, there);
  expect(grid.within({ point: here, radiusM }).ordinals).toEqual([0, 1, 2]);
  expect(grid.within({ point: here, radiusM: radiusM - 1 }).ordinals).toEqual([0]);
  grid.drop(1);
  grid.drop(7);
  expect(grid.within({ point: here, radiusM })).toEqual({
    ordinals: [0, 2],
    distances: [0, radiusM],
  });
});

test("a circle that almost touches a pole contains its centre", () => {
  const everywhere = Array.from({ length: 6_000 }, (_, i) => ({
    lat: 0.1 * Math.floor(i / 60),
    lng: 0.1 * (i % 60),
  }));
  const point = { lat: 89.99654660980329, lng: 10 };
  const grid = gridOf([point, ...everywhere]);
  expect(grid.within({ point, radiusM: 383 })).toEqual({ ordinals: [0], distances: [0] });
});
