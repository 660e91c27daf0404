/** The partners that feeds are made for. No other is guessed at: it could not read the file. */
import { bing } from "./profiles/bing.ts";
import { google } from "./profiles/google.ts";
import { kayak } from "./profiles/kayak.ts";
import type { PartnerName, Profile } from "./profiles/profile.ts";
import { tripadvisor } from "./profiles/tripadvisor.ts";
import { trivago } from "./profiles/trivago.ts";
import { yandex } from "./profiles/yandex.ts";

const PROFILES: ReadonlyMap<string, Profile> = new Map(
  [google, bing, yandex, tripadvisor, trivago, kayak].map((profile) => [profile.name, profile]),
);

/** Their names, which are the ones in addresses. */
export const PARTNERS = [...PROFILES.values()].map(({ name }): PartnerName => name);

/** Other names for them. */
const ALIASES: ReadonlyMap<string, PartnerName> = new Map([["microsoft", "bing"]]);

/** The profile of a partner by its name or another one; null when there is no such partner. */
export function profileOf(name: string): Profile | null {
  return PROFILES.get(ALIASES.get(name) ?? name) ?? null;
}
