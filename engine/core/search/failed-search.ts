/** A search without results, and how many variants of it are tried. */

import type { FxTable } from "../price/money.ts";
import type { RealmIndex } from "./index/realm-index.ts";
import type { Asked, SearchQuery } from "./query.ts";

export interface FailedSearch {
  readonly index: RealmIndex;
  readonly query: SearchQuery;
  readonly asked: Asked;
  readonly fx: FxTable | null;
}

/** Limit of properties tried for all changes of one kind. */
export const TRIES_MAX = 300;
