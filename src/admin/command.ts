/** What an admin command is made of. */
import type { ControlStore } from "../control/store.ts";
import type { Secrets } from "../privacy/secrets.ts";
import type { Arguments, Options } from "./arguments.ts";

/** The installation that a command works on, running or not. */
export interface Installation {
  readonly store: ControlStore;
  readonly secrets: Secrets;
}

export interface Command {
  /** Its words, e.g. `tenant create`. */
  readonly name: string;
  /** One line of help. */
  readonly summary: string;
  readonly options: Options;
  /** What to print, as JSON. Throws a UsageError for arguments that do not fit. */
  readonly run: (installation: Installation, args: Arguments) => unknown;
}
