/** Removes the outbox files of erased guests: mails to them are the only copies of their data. */
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";

const BOOKING = /\.(bkg_[0-9a-z]+)/;

/** Removes the files of bookings for which `isErased`; returns how many there were. */
export async function removeErased(
  directory: string,
  isErased: (bookingId: string) => boolean,
): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const known = new Map<string, boolean>();
  let count = 0;
  for (const name of names) {
    const id = BOOKING.exec(name)?.[1];
    if (id === undefined) continue;
    const isGone = known.get(id) ?? isErased(id);
    known.set(id, isGone);
    if (!isGone) continue;
    await unlink(join(directory, name)).catch(() => {});
    count += 1;
  }
  return count;
}

/** A mail that was being written during the erasure is found by a later look. */
const LOOKS_FOR_MS = 120_000;
const LOOK_EVERY_MS = 5_000;

/** When to look: at the start, and for a while after each erasure. */
export class ErasureLooks {
  #untilMs = 0;
  #nextMs = 0;

  /** Looks at once, and again for a while. */
  begin(nowMs: number): void {
    this.#untilMs = nowMs + LOOKS_FOR_MS;
    this.#nextMs = nowMs;
  }

  /** Whether to look now; counts as a look. */
  isDue(nowMs: number): boolean {
    if (nowMs < this.#nextMs || nowMs > this.#untilMs) return false;
    this.#nextMs = nowMs + LOOK_EVERY_MS;
    return true;
  }
}
