/**
 * The supported partners. To add one, write its profile in a file and register it here; no other
 * code names it.
 */
import { bing } from "./profiles/bing.ts";
import { google } from "./profiles/google.ts";
import { kayak } from "./profiles/kayak.ts";
import type { Profile } from "./profiles/profile.ts";
import { tripadvisor } from "./profiles/tripadvisor.ts";
import { trivago } from "./profiles/trivago.ts";
import { yandex } from "./profiles/yandex.ts";

const PROFILES = {
  google,
  bing,
  yandex,
  tripadvisor,
  trivago,
  kayak,
};

/** Names, as in addresses. */
export const PARTNERS: readonly string[] = Object.keys(PROFILES);

const BY_NAME: ReadonlyMap<string, Profile> = new Map(Object.entries(PROFILES));

/** Alternative names. */
const ALIASES: ReadonlyMap<string, string> = new Map([["microsoft", "bing"]]);

/** The profile for a name or alias; null if unknown. */
export function profileOf(name: string): Profile | null {
  return BY_NAME.get(ALIASES.get(name) ?? name) ?? null;
}
