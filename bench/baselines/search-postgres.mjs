/**
 * The peer of searches: Fastify and PostgreSQL, one prepared statement per search.
 * `search-postgres.mjs <socket directory>` listens on a free port, prints `{"port":…}`, and ends
 * when its stdin closes.
 */
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const POOL_SIZE = 8;
const BODY_LIMIT_BYTES = 65_536;
const DAY_MS = 86_400_000;

const date = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" };
const closed = (properties) => ({
  ...{ type: "object", required: Object.keys(properties), additionalProperties: false },
  properties,
});
/** Said, so that answers are written by a program made for them. */
const text = { type: "string" };
const whole = { type: "integer" };
const number = { type: "number" };
const nullable = (schema) => ({ ...schema, nullable: true });
const Offer = closed({
  ...{ room_type_id: text, room_type_name: text, rate_plan_id: text, rate_plan_name: text },
  ...{ meal_plan: text, bed_type: nullable(text), max_occupancy: whole, cancellation: text },
  price_per_night: closed({ amount: whole, currency: text }),
});
const Result = closed({
  ...{ hotel_id: text, slug: text, name: text, star_rating: nullable(whole) },
  address: closed({ city: text, country: text }),
  geo: closed({ lat: number, lng: number }),
  ...{ image: nullable(text), best_offer: Offer },
});
const SCHEMA = {
  response: {
    200: closed({
      data: closed({ results: { type: "array", items: Result } }),
      ...{ trace_id: text, next_actions: { type: "array", items: {} } },
    }),
  },
  body: closed({
    destination: closed({ type: { const: "area" }, value: { type: "string", maxLength: 200 } }),
    stay: closed({ check_in: date, check_out: date }),
    guests: closed({ adults: { type: "integer", minimum: 1, maximum: 30 } }),
  }),
};

/** City, first night, nights, adults: the cheapest offer of each property, the cheapest first. */
const SEARCH = {
  name: "search",
  text: `WITH place AS (SELECT id FROM city WHERE name = $1),
  open AS (
    SELECT a.room_type FROM availability a
      WHERE a.city = (SELECT id FROM place) AND a.night >= $2 AND a.night < $2 + $3
      GROUP BY a.room_type HAVING count(*) = $3 AND min(a.free) > 0
  ), barred AS (
    SELECT x.offer FROM restriction x
      WHERE x.city = (SELECT id FROM place) AND x.night BETWEEN $2 AND $2 + $3
        AND ((x.stop_sell AND x.night < $2 + $3) OR (x.ctd AND x.night = $2 + $3)
          OR (x.night = $2 AND (x.cta OR x.min_los > $3)))
  ), paid AS (
    SELECT r.offer, sum(r.amount)::int AS amount FROM rate r JOIN open USING (room_type)
      WHERE r.city = (SELECT id FROM place) AND r.night >= $2 AND r.night < $2 + $3
      GROUP BY r.offer HAVING count(*) = $3
  ), priced AS (
    SELECT o.*, (2 * (paid.amount + $3 * greatest(0, $4 - o.included_occupancy) * o.extra_adult)
        + $3) / (2 * $3) AS price
      FROM paid JOIN offer o ON o.id = paid.offer
      WHERE o.max_occupancy >= $4 AND o.id NOT IN (SELECT offer FROM barred)
  ), best AS (
    SELECT DISTINCT ON (property) * FROM priced ORDER BY property, price, public_id
  )
  SELECT h.public_id AS hotel_id, h.slug, h.name, h.star_rating, h.lat, h.lng, h.city_name,
      h.country, h.image, b.room_type_id, b.room_type_name, b.bed_type, b.max_occupancy,
      b.public_id AS rate_plan_id, b.name AS rate_plan_name, b.meal_plan, b.cancellation_kind,
      b.currency, b.price
    FROM best b JOIN property h ON h.id = b.property ORDER BY b.price, h.public_id`,
};

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const TENANTS = new Set([sha256("sk_test_bench")]);

const [host] = process.argv.slice(2);
/** No plan is better for knowing the values, and the statement is too short to be compiled. */
const options = "-c plan_cache_mode=force_generic_plan -c jit=off";
const database = { host, user: "postgres", database: "peer", options };
const pool = new pg.Pool({ ...database, max: POOL_SIZE });
const dayOf = (text) => Date.parse(text) / DAY_MS;

function resultOf(row) {
  const { currency } = row;
  return {
    ...{ hotel_id: row.hotel_id, slug: row.slug, name: row.name, star_rating: row.star_rating },
    address: { city: row.city_name, country: row.country },
    geo: { lat: row.lat, lng: row.lng },
    image: row.image,
    best_offer: {
      ...{ room_type_id: row.room_type_id, room_type_name: row.room_type_name },
      ...{ rate_plan_id: row.rate_plan_id, rate_plan_name: row.rate_plan_name },
      ...{ meal_plan: row.meal_plan, bed_type: row.bed_type, max_occupancy: row.max_occupancy },
      ...{ cancellation: row.cancellation_kind, price_per_night: { amount: row.price, currency } },
    },
  };
}

const app = Fastify({ logger: false, bodyLimit: BODY_LIMIT_BYTES });

app.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  if (status === 500) console.error(error);
  const code = status < 500 ? "validation_failed" : "internal_error";
  return reply.code(status < 500 ? 400 : 500).send({ error: { code } });
});

app.post("/v1/search", { schema: SCHEMA }, async (request, reply) => {
  const token = (request.headers.authorization ?? "").slice("Bearer ".length);
  if (!TENANTS.has(sha256(token))) {
    return reply.code(401).send({ error: { code: "unauthenticated" } });
  }
  const { destination, stay, guests } = request.body;
  const first = dayOf(stay.check_in);
  const values = [destination.value, first, dayOf(stay.check_out) - first, guests.adults];
  const { rows } = await pool.query({ ...SEARCH, values });
  return { data: { results: rows.map(resultOf) }, trace_id: randomUUID(), next_actions: [] };
});

process.stdin.on("end", () => process.exit(0)).resume();
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(JSON.stringify({ port: app.server.address().port }));
