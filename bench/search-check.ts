/** Before a figure of the peer counts: it finds what we find, to the cent. */
import { searchBody } from "./search-body.ts";

/** A side that answers searches. */
export interface Searcher {
  /** Full address of the route. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Result {
  readonly hotel_id: string;
  readonly best_offer: {
    readonly room_type_id: string;
    readonly rate_plan_id: string;
    readonly price_per_night: { readonly amount: number; readonly currency: string };
  };
}

const STAYS = 50;

/** The cheapest offer of each property, in an order of its own. */
export function offersIn(results: readonly Result[]): string[] {
  return results
    .map(({ hotel_id, best_offer: { room_type_id, rate_plan_id, price_per_night } }) => {
      const { amount, currency } = price_per_night;
      return `${hotel_id} ${room_type_id} ${rate_plan_id} ${amount} ${currency}`;
    })
    .sort();
}

/** The results of a search. Throws when it is not answered well. */
export async function searched({ url, headers }: Searcher, body: object): Promise<Result[]> {
  const json = { ...headers, "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers: json, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status} ${text}`);
  return (JSON.parse(text) as { data: { results: Result[] } }).data.results;
}

/** Asks both for the same 50 stays. Throws when their offers are not the same. */
export async function assertSameOffers(
  ours: Searcher,
  peer: Searcher,
  cityAt: (n: number) => string,
): Promise<void> {
  for (let n = 0; n < STAYS; n += 1) {
    const body = searchBody(n, cityAt(n));
    const both = await Promise.all([searched(ours, body), searched(peer, body)]);
    const [own, theirs] = both.map(offersIn) as [string[], string[]];
    const differing = differences(own, theirs);
    if (own.length > 0 && differing.length === 0) continue;
    const shown = differing.slice(0, 4).join("; ");
    throw new Error(
      `the peer differs in ${differing.length} of ${own.length}: ${JSON.stringify(body)}: ${shown}`,
    );
  }
}

/** What only one of the two has. */
export function differences(own: readonly string[], theirs: readonly string[]): string[] {
  const [ours, others] = [new Set(own), new Set(theirs)];
  return [
    ...own.filter((each) => !others.has(each)).map((each) => `only ours: ${each}`),
    ...theirs.filter((each) => !ours.has(each)).map((each) => `only the peer's: ${each}`),
  ];
}
