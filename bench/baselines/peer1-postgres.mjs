/**
 * Peer 1, what a team would build first: Fastify and PostgreSQL, one transaction per hold.
 * `peer1-postgres.mjs <socket directory> <fn|txn>` listens on a free port, prints `{"port":…}`, and
 * ends when its stdin closes. `fn` is one PL/pgSQL call per hold, `txn` the same statements one by
 * one.
 */
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const HOLD_TTL_MS = 900_000;
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
  call: "SELECT * FROM create_hold($1, $2, $3, $4, $5)",
  claim: `INSERT INTO idem (tenant, scope, key, body_hash) VALUES ($1, 'holds', $2, $3)
    ON CONFLICT DO NOTHING`,
  known: `SELECT body_hash, status, response FROM idem
    WHERE tenant = $1 AND scope = 'holds' AND key = $2`,
  quote: `SELECT room_type, night0, nights, expires_at FROM quotes
    WHERE id = $1 AND tenant = $2`,
  lock: `SELECT held + sold < total AS free FROM inventory
    WHERE room_type = $1 AND night >= $2 AND night < $3 ORDER BY night FOR UPDATE`,
  take: `UPDATE inventory SET held = held + 1
    WHERE room_type = $1 AND night >= $2 AND night < $3`,
  hold: "INSERT INTO holds VALUES ($1, $2, $3, $4, $5, $6, 'held', $7)",
  seal: `UPDATE idem SET status = $3, response = $4
    WHERE tenant = $1 AND scope = 'holds' AND key = $2`,
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

const [host, mode] = process.argv.slice(2);
const pool = new pg.Pool({ host, user: "postgres", database: "peer", max: POOL_SIZE });

/** Runs a statement of `SQL`, prepared under its name on each connection. */
const run = (client, name, values) => client.query({ name, text: SQL[name], values });

async function holdByFunction({ tenant, key, bodyHash, quoteId }) {
  const { rows } = await run(pool, "call", [tenant, key, bodyHash, quoteId, randomUUID()]);
  return rows[0];
}

async function holdByTransaction(command) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const reply = await holdInside(client, command);
    await client.query("COMMIT");
    return reply;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

async function holdInside(client, command) {
  const { tenant, key, bodyHash } = command;
  const claimed = await run(client, "claim", [tenant, key, bodyHash]);
  if (claimed.rowCount === 0) {
    const known = (await run(client, "known", [tenant, key])).rows[0];
    return known.body_hash.equals(bodyHash)
      ? { status: known.status, body: known.response, replay: true }
      : { status: 409, body: { code: "idempotency_conflict" } };
  }
  const reply = await allocate(client, command);
  await run(client, "seal", [tenant, key, reply.status, reply.body]);
  return reply;
}

async function allocate(client, { tenant, quoteId }) {
  const quote = (await run(client, "quote", [quoteId, tenant])).rows[0];
  if (quote === undefined) return { status: 404, body: { code: "quote_not_found" } };
  if (quote.expires_at < new Date()) return { status: 410, body: { code: "quote_expired" } };
  const nights = [quote.room_type, quote.night0, quote.night0 + quote.nights];
  const { rows } = await run(client, "lock", nights);
  if (rows.length !== quote.nights || rows.some(({ free }) => !free)) {
    return { status: 409, body: { code: "allocation_failed" } };
  }
  await run(client, "take", nights);
  const [id, expires] = [randomUUID(), new Date(Date.now() + HOLD_TTL_MS)];
  const { room_type, night0 } = quote;
  await run(client, "hold", [id, tenant, quoteId, room_type, night0, quote.nights, expires]);
  return { status: 201, body: { hold_id: id, state: "held", expires_at: expires } };
}

const placeHold = mode === "fn" ? holdByFunction : holdByTransaction;
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
  const { status, body, replay } = await placeHold({ tenant, key, bodyHash, quoteId });
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
