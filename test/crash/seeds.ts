/** Seeds of the crash tests: `CRASH_SEED` repeats one run, `CRASH_RUNS` asks for several. */

/** One seed per run; random unless `CRASH_SEED` is set. Tests show theirs in their name. */
export function seeds(): number[] {
  const first = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  return Array.from({ length: Number(process.env.CRASH_RUNS ?? 1) }, (_, i) => first + i);
}
