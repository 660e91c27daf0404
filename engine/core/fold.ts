/** Types of folds; a fold stands beside the decision that causes its event. */
import type { EventOf, EventType, Row } from "./events/event.ts";
import type { RecordSink } from "./records.ts";
import type { State } from "./state/state.ts";

/** Applies an event; `sink` receives the records that it changes, null in replicas. */
export type Fold<T extends EventType> = (
  state: State,
  event: EventOf<T>,
  row: Row,
  sink: RecordSink | null,
) => void;

/** A fold for each type; `satisfies Partial<Folds>` checks those of a module. */
export type Folds = { readonly [T in EventType]: Fold<T> };
