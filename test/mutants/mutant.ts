/** Bugs on purpose by the file of the test that must turn red. */
import type { Bug } from "./mutate.ts";

/** A bug, and the name of the test that must see it, or how that begins. */
export type Seeded = Bug & { readonly test: string };

/** By the test's file. */
export type ByKiller = Readonly<Record<string, readonly Seeded[]>>;
