-- The data of `peer2-seed.ts`: 200 room types × 400 nights of 60,000 rooms, 100,000 quotes.
INSERT INTO inventory (room_type, night, total)
  SELECT r, n, 60000 FROM generate_series(1, 200) r, generate_series(0, 399) n;
INSERT INTO quotes
  SELECT 'q' || i, '00000000-0000-4000-8000-000000000001', 1 + i % 200, (i * 37) % 360, 1 + i % 4,
    now() + interval '1 day'
  FROM generate_series(0, 99999) i;
VACUUM ANALYZE;
