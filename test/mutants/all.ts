/** Every seeded bug, with the file of the test that must see it. */
import { IN_THE_CONSOLE } from "./console.ts";
import { BEFORE_THE_DISK } from "./durable.ts";
import { AT_THE_EDGE } from "./edge.ts";
import { IN_FEEDS } from "./feeds.ts";
import { IN_JOBS } from "./jobs.ts";
import { IN_LANES } from "./lanes.ts";
import { IN_WHAT_LASTS } from "./lasting.ts";
import { ABOUT_MONEY } from "./money.ts";
import type { Seeded } from "./mutant.ts";
import { IN_QUEUES } from "./queues.ts";
import { IN_RIGHTS } from "./rights.ts";
import { IN_SEARCH } from "./search.ts";
import { IN_SUPPLY } from "./supply.ts";
import { IN_TIME } from "./time.ts";

export type Mutant = Seeded & { readonly killer: string };

export const SEEDED: readonly Mutant[] = [
  ...[IN_JOBS, ABOUT_MONEY, IN_QUEUES, IN_LANES, IN_FEEDS, IN_RIGHTS, AT_THE_EDGE],
  ...[IN_WHAT_LASTS, IN_TIME, BEFORE_THE_DISK, IN_SUPPLY, IN_SEARCH, IN_THE_CONSOLE],
].flatMap((group) =>
  Object.entries(group).flatMap(([killer, bugs]) => bugs.map((bug) => ({ ...bug, killer }))),
);
