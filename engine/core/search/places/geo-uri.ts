/** A geo URI (RFC 5870): a point and a radius, `geo:41.3874,2.1686;u=3000`. */

/** Degrees of WGS-84. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** A circle around a point, metres. */
export interface Around {
  readonly point: Point;
  readonly radiusM: number;
}

/** The default radius. */
export const RADIUS_M = 5_000;
/** A larger radius is refused. */
const RADIUS_MAX_M = 200_000;

export const GEO_URI_FORM =
  `geo:<latitude>,<longitude>;u=<metres>, latitude from -90 to 90, longitude from -180 to 180, ` +
  `u at most ${RADIUS_MAX_M} (${RADIUS_M} when it is left out)`;

const COORDINATE = String.raw`(-?\d+(?:\.\d+)?)`;
const PARAMETER = String.raw`;[a-z\d-]+(?:=(?:[a-z\d[\]:&+$\-_.!~*'()]|%[a-f\d]{2})+)?`;
/** Section 3.3: `crs` before `u`, unknown parameters last. The altitude is ignored. */
const GEO_URI = new RegExp(
  `^geo:${COORDINATE},${COORDINATE}(?:,${COORDINATE})?(?:;crs=wgs84)?(?:;u=(\\d+(?:\\.\\d+)?))?` +
    `((?:${PARAMETER})*)$`,
  "i",
);

/** Whether a text is meant as a geo URI, even a malformed one. */
export function isGeoUri(text: string): boolean {
  return /^\s*geo:/i.test(text);
}

/** The point and radius of a URI; null when it is malformed or out of bounds. */
export function parseGeoUri(text: string): Around | null {
  const parts = GEO_URI.exec(text.trim());
  if (!parts) return null;
  const [, lat, lng, , u, others] = parts;
  if (/;(?:crs|u)(?:[;=]|$)/i.test(others!)) return null;
  const point = { lat: Number(lat), lng: Number(lng) };
  const radiusM = u === undefined ? RADIUS_M : Number(u);
  const isThere = Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180;
  return isThere && radiusM <= RADIUS_MAX_M ? { point, radiusM } : null;
}
