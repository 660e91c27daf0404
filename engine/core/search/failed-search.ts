/** What is tried of a search that found nothing, and how often. */
import type { RealmIndex } from "../index/realm-index.ts";
import type { FxTable } from "../money.ts";
import type { Asked, SearchQuery } from "./query.ts";

/** The search as it was asked. */
export interface FailedSearch {
  readonly index: RealmIndex;
  readonly query: SearchQuery;
  readonly asked: Asked;
  readonly fx: FxTable | null;
}

/** Properties that are asked for an offer of a changed search, for all changes of one kind. */
export const TRIES_MAX = 300;
