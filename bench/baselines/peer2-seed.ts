/** Fills the store of peer 2; peer 1's `peer1-seed.sql` writes the same data. */
import type { Redis } from "ioredis";

export const ROOM_TYPES = 200;
export const NIGHTS = 400;
export const CAPACITY = 60_000;
export const QUOTES = 100_000;

const DAY_MS = 86_400_000;
const QUOTES_PER_ROUND_TRIP = 1_000;

/**
 * Writes `ROOM_TYPES` × `NIGHTS` cells of `CAPACITY` rooms and `QUOTES` quotes `q0`, `q1`, … of one
 * to four nights that stay valid for a day. Empties the store first: it must be a private one.
 */
export async function seed(redis: Redis): Promise<void> {
  await redis.flushall();
  const left = Buffer.alloc(NIGHTS * 2);
  for (let night = 0; night < NIGHTS; night++) left.writeUInt16BE(CAPACITY, night * 2);
  const inventory = redis.pipeline();
  for (let roomType = 1; roomType <= ROOM_TYPES; roomType++) {
    inventory.set(`inv:{${roomType}}`, left);
  }
  await inventory.exec();

  const expiresAt = Date.now() + DAY_MS;
  for (let from = 0; from < QUOTES; from += QUOTES_PER_ROUND_TRIP) {
    const quotes = redis.pipeline();
    for (let i = from; i < from + QUOTES_PER_ROUND_TRIP; i++) {
      const [roomType, first, nights] = [1 + (i % ROOM_TYPES), (i * 37) % 360, 1 + (i % 4)];
      quotes.set(`quote:q${i}`, `${roomType}|${first}|${nights}|${expiresAt}`);
    }
    await quotes.exec();
  }
}
