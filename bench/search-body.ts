/** The searches of the benchmark, of the reads and of the whole flow alike. */
import { dateOf } from "../engine/core/calendar.ts";

const TODAY = Math.floor(Date.now() / 86_400_000);

/** The `n`-th search: one to four nights within ten months in a city, for two adults. */
export function searchBody(n: number, city: string) {
  const first = TODAY + 2 + ((n * 37) % 300);
  return {
    destination: { type: "area", value: city },
    stay: { check_in: dateOf(first), check_out: dateOf(first + 1 + (n % 4)) },
    guests: { adults: 2 },
  };
}
