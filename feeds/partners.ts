/**
 * The partners that feeds are made for. No other is guessed at: it could not read the file. One is
 * a profile in a file of its own and a line in the registry; nothing else knows it by its name.
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

/** Their names, which are the ones in addresses. */
export const PARTNERS: readonly string[] = Object.keys(PROFILES);

const BY_NAME: ReadonlyMap<string, Profile> = new Map(Object.entries(PROFILES));

/** Other names for them. */
const ALIASES: ReadonlyMap<string, string> = new Map([["microsoft", "bing"]]);

/** The profile of a partner by its name or another one; null when there is no such partner. */
export function profileOf(name: string): Profile | null {
  return BY_NAME.get(ALIASES.get(name) ?? name) ?? null;
}
