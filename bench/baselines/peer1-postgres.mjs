/**
 * Peer 1b, what a team would build first: Fastify and PostgreSQL, one PL/pgSQL call per hold.
 * `peer1-postgres.mjs <socket directory>` listens on a free port, prints `{"port":…}`, and ends
 * when its stdin closes.
 */
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const SWEEP_INTERVAL_MS = 1_000;
const POOL_SIZE = 8;
const BODY_LIMIT_BYTES = 65_536;
const NEXT_ACTIONS = [{ rel: "confirm", method: "POST", href: "/v1/bookings" }];
const SCHEMA = {
  body: {
    type: "object",
    required: ["quote_id"],
    additionalProperties: false,
    properties: { quote_id: { type: "string", maxLength: 64 } },
  },
};

const SQL = {
  hold: "SELECT * FROM create_hold($1, $2, $3, $4, $5)",
  sweep: `WITH due AS (
      DELETE FROM holds WHERE id IN (
        SELECT id FROM holds WHERE state = 'held' AND expires_at < now()
          ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED
      ) RETURNING room_type, night0, nights
    ), given AS (
      SELECT room_type, night, count(*) AS units
        FROM due, generate_series(night0, night0 + nights - 1) night GROUP BY 1, 2
    )
    UPDATE inventory v SET held = held - given.units FROM given
      WHERE v.room_type = given.room_type AND v.night = given.night`,
};

const sha256 = (text) => createHash("sha256").update(text);
const TENANTS = new Map([
  [sha256("sk_test_bench").digest("hex"), "00000000-0000-4000-8000-000000000001"],
]);

const [host] = process.argv.slice(2);
const pool = new pg.Pool({ host, user: "postgres", database: "peer", max: POOL_SIZE });

const app = Fastify({
  logger: false,
  bodyLimit: BODY_LIMIT_BYTES,
  ajv: { customOptions: { removeAdditional: false } },
});

app.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  if (status === 500) console.error(error);
  const code = status < 500 ? "validation_failed" : "internal_error";
  return reply.code(status < 500 ? 400 : 500).send({ error: { code } });
});

app.post("/v1/holds", { schema: SCHEMA }, async (request, reply) => {
  const token = (request.headers.authorization ?? "").slice("Bearer ".length);
  const tenant = TENANTS.get(sha256(token).digest("hex"));
  if (tenant === undefined) return reply.code(401).send({ error: { code: "unauthenticated" } });
  const key = request.headers["idempotency-key"];
  if (!key) return reply.code(400).send({ error: { code: "validation_failed" } });
  const bodyHash = sha256(JSON.stringify(request.body)).digest();
  const { quote_id: quoteId } = request.body;
  // Prepared under its name on each connection.
  const values = [tenant, key, bodyHash, quoteId, randomUUID()];
  const { rows } = await pool.query({ name: "hold", text: SQL.hold, values });
  const { status, body, replay } = rows[0];
  if (replay) reply.header("Idempotent-Replayed", "true");
  const trace_id = randomUUID();
  return reply
    .code(status)
    .send(
      status < 300
        ? { data: body, trace_id, next_actions: NEXT_ACTIONS }
        : { error: { ...body, trace_id } },
    );
});

setInterval(() => pool.query(SQL.sweep).catch(console.error), SWEEP_INTERVAL_MS);
process.stdin.on("end", () => process.exit(0)).resume();
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(JSON.stringify({ port: app.server.address().port }));
