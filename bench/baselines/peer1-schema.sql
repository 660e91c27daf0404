-- Peer 1: one row per room type and night.
CREATE TABLE quotes (
  id text PRIMARY KEY,
  tenant uuid NOT NULL,
  room_type int NOT NULL,
  night0 int NOT NULL,
  nights int NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Half-filled pages leave room for heap-only updates, which spare the index.
CREATE TABLE inventory (
  room_type int,
  night int,
  total int NOT NULL,
  held int NOT NULL DEFAULT 0,
  sold int NOT NULL DEFAULT 0,
  PRIMARY KEY (room_type, night),
  CHECK (held >= 0 AND sold >= 0 AND held + sold <= total)
) WITH (fillfactor = 50);

CREATE TABLE holds (
  id uuid PRIMARY KEY,
  tenant uuid NOT NULL,
  quote_id text NOT NULL,
  room_type int NOT NULL,
  night0 int NOT NULL,
  nights int NOT NULL,
  state text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX holds_expiry ON holds (expires_at) WHERE state = 'held';

CREATE TABLE idem (
  tenant uuid,
  scope text,
  key text,
  body_hash bytea NOT NULL,
  status int,
  response jsonb,
  created_at timestamptz DEFAULT now(),
  PRIMARY KEY (tenant, scope, key)
);

-- The whole hold in one round trip.
CREATE FUNCTION create_hold(
  p_tenant uuid, p_key text, p_hash bytea, p_quote text, p_hold uuid,
  OUT status int, OUT body jsonb, OUT replay boolean
) LANGUAGE plpgsql AS $$
DECLARE
  quote quotes;
  known idem;
  expiry timestamptz := now() + interval '15 min';
  taken int;
BEGIN
  replay := false;
  -- A concurrent insert of the same key makes this one wait for that transaction's end.
  INSERT INTO idem (tenant, scope, key, body_hash) VALUES (p_tenant, 'holds', p_key, p_hash)
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    SELECT * INTO known FROM idem i
      WHERE i.tenant = p_tenant AND i.scope = 'holds' AND i.key = p_key;
    IF known.body_hash <> p_hash THEN
      status := 409; body := '{"code":"idempotency_conflict"}'; RETURN;
    END IF;
    status := known.status; body := known.response; replay := true; RETURN;
  END IF;

  SELECT * INTO quote FROM quotes WHERE id = p_quote AND tenant = p_tenant;
  IF NOT FOUND THEN
    status := 404; body := '{"code":"quote_not_found"}';
  ELSIF quote.expires_at < now() THEN
    status := 410; body := '{"code":"quote_expired"}';
  ELSE
    -- Locks in order of night: no two holds can wait for each other.
    PERFORM 1 FROM inventory v
      WHERE v.room_type = quote.room_type
        AND v.night >= quote.night0 AND v.night < quote.night0 + quote.nights
      ORDER BY v.night FOR UPDATE;
    UPDATE inventory v SET held = held + 1
      WHERE v.room_type = quote.room_type
        AND v.night >= quote.night0 AND v.night < quote.night0 + quote.nights
        AND NOT EXISTS (
          SELECT 1 FROM inventory x
            WHERE x.room_type = quote.room_type
              AND x.night >= quote.night0 AND x.night < quote.night0 + quote.nights
              AND x.held + x.sold >= x.total
        );
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken <> quote.nights THEN
      status := 409; body := '{"code":"allocation_failed"}';
    ELSE
      INSERT INTO holds VALUES (
        p_hold, p_tenant, p_quote, quote.room_type, quote.night0, quote.nights, 'held', expiry
      );
      status := 201;
      body := jsonb_build_object('hold_id', p_hold, 'state', 'held', 'expires_at', expiry);
    END IF;
  END IF;

  -- Every outcome is sealed under the key, refusals too.
  UPDATE idem i SET status = create_hold.status, response = create_hold.body
    WHERE i.tenant = p_tenant AND i.scope = 'holds' AND i.key = p_key;
END $$;
