import { expect, test } from "bun:test";
import { isGeoUri, parseGeoUri } from "./geo-uri.ts";

test.each([
  ["geo:41.3874,2.1686", 41.3874, 2.1686, 5_000],
  ["geo:41.3874,2.1686;u=3000", 41.3874, 2.1686, 3_000],
  ["  GEO:-33.86,151.2;CRS=WGS84;U=12.5  ", -33.86, 151.2, 12.5],
  ["geo:48.2010,16.3695,183", 48.201, 16.3695, 5_000],
  ["geo:90,-180;u=0", 90, -180, 0],
  ["geo:1,2;u=200000;name=a%20b;flag", 1, 2, 200_000],
])("%s is a point", (uri, lat, lng, radiusM) => {
  expect(parseGeoUri(uri)).toEqual({ point: { lat, lng }, radiusM });
});

test.each([
  ...["geo:", "geo:41.3874", "geo:41.3874 2.1686", "geo:a,b", "geo:41.,2", "geo:.5,2"],
  ...["geo:+41,2", "geo:4e1,2", "geo:1,2,3,4", "geo:1,2;u", "geo:1,2;u=", "geo:1,2;u=-5"],
  ...["geo:90.1,0", "geo:0,180.5", "geo:1,2;u=200001", "geo:1,2;u=5;u=6", "geo:1,2;u=5;crs=wgs84"],
  ...["geo:1,2;crs=nad27", "geo:1,2;name=a b", "geo:1,2?z=3", "geo://1,2", "Madrid", ""],
])("%s is not a point", (text) => {
  expect(parseGeoUri(text)).toBeNull();
});

test("a text that begins as a geo URI means a point, whatever follows", () => {
  expect(["geo:nowhere", " Geo:1,2", "Georgia", "geology: 1"].map(isGeoUri)).toEqual([
    ...[true, true, false, false],
  ]);
});
