/**
 * The table of refused starts: cause, sentence and exit code. The guide on back-ups shows it, and
 * tests compare every sentence with the output of a real start.
 */
import { StartRefused } from "./lifecycle.ts";
import { paintOf } from "./terminal.ts";

interface RefusedStart {
  /** For the guide. */
  readonly when: string;
  /** The first line after `innkeep: `, with variables in braces. */
  readonly says: string;
  /** `EXIT_CONFIG` unless given. */
  readonly exitCode?: number;
}

/** Rows that no code here uses are produced by npm's scripts or by a store. */
export const REFUSED_STARTS = {
  old_node: {
    when: "Node is too old",
    says: "Node {found} is too old, Innkeep needs Node {needed} or later: install it from https://nodejs.org, or run `nvm install --lts`",
  },
  no_registry: {
    when: "packages are missing, and npm cannot fetch them",
    says: "the package registry {address} cannot be reached ({code}): installing from npm's cache only",
    exitCode: 1,
  },
  bad_settings: { when: "settings are invalid", says: "bad configuration:" },
  data_dir_is_file: {
    when: "`DATA_DIR` is a file, or is below one",
    says: "{path} is not a directory: set DATA_DIR to a directory",
  },
  data_dir_unwritable: {
    when: "`DATA_DIR` cannot be created or written to",
    says: "{path} cannot be written ({code}): give it to this user, or set DATA_DIR to another directory",
  },
  data_dir_not_ours: {
    when: "`DATA_DIR`, or a file in it, belongs to another user",
    says: "this user cannot read and write {path}: make it the owner",
  },
  data_dir_in_use: {
    when: "another process uses `DATA_DIR`",
    says: "{path} is in use by process {pid}: stop it, or set DATA_DIR to another directory",
  },
  disk_full: {
    when: "the disk is full",
    says: "the disk of {path} has {free} MiB free, a start needs {needed}: free some space, or set DATA_DIR to another disk",
  },
  not_home: {
    when: "an api, a worker or a command uses the files of a machine that is not their home",
    says: "{path} is not the home of api and worker: use the machine that is",
  },
  lock_damaged: {
    when: "`lock.db` is damaged",
    says: "{file} is damaged: remove it, it contains no data",
  },
  file_damaged: {
    when: "`control.db`, `mail.db`, `deliveries.db` or `sandbox-provider.db` is damaged",
    says: "{file} is damaged ({problem}): restore it from a back-up",
  },
  file_of_other_format: {
    when: "a data file has another format",
    says: "{file} has format {format}, this version reads format {known}: start the version that wrote it, or set DATA_DIR to an empty directory",
  },
  secrets_unreadable: {
    when: "`secrets.json` is damaged",
    says: "{file} cannot be read: restore it from a back-up",
  },
  secrets_incomplete: {
    when: "`secrets.json` lacks keys, or is from a newer version",
    says: "{file} has missing or invalid keys: restore it from a back-up",
  },
  demo_damaged: {
    when: "`demo.json` is damaged",
    says: "{file} is damaged: restore it from a back-up, or remove it and lose the demo credentials",
  },
  journal_unreadable: {
    when: "the journal is damaged, has another format, or is not a journal",
    says: "journal_unreadable: {file} is not a journal of this version ({problem}): restore a back-up, start the version that wrote it, or set DATA_DIR to an empty directory",
  },
  redis_unreachable: {
    when: "the Redis of `REDIS_URL` does not answer for `START_TIMEOUT_S`",
    says: "Redis at {address} did not answer within {seconds} s ({problem}): start it, or correct REDIS_URL",
  },
  redis_login: {
    when: "Redis refuses the password",
    says: "Redis at {address} refuses the login ({problem}): set REDIS_URL to redis://[user]:password@host",
  },
  redis_sentinel: {
    when: "the sentinels of `REDIS_URL` refuse the login or do not know the name",
    says: "the sentinels at {address} do not give the primary ({problem}): correct REDIS_URL",
  },
  redis_other: {
    when: "another program answers at `REDIS_URL`",
    says: "the program at {address} is not Redis ({problem}): correct REDIS_URL",
  },
  port_in_use: {
    when: "the port is in use",
    says: "port {port} of {host} is in use by another program: stop it, or set {variable} to another port",
  },
  port_refused: {
    when: "the port is not allowed, or the address does not belong to this machine",
    says: "cannot listen on port {port} of {host} ({code}): set {variable} or {hostVariable}",
  },
} as const satisfies Readonly<Record<string, RefusedStart>>;

type Name = keyof typeof REFUSED_STARTS;

/** The names in braces. */
type FactsIn<Says extends string> = Says extends `${string}{${infer Fact}}${infer Rest}`
  ? Fact | FactsIn<Rest>
  : never;

/** The refusal `name` with its variables filled in. */
export function refusedStart<N extends Name>(
  name: N,
  facts: Readonly<Record<FactsIn<(typeof REFUSED_STARTS)[N]["says"]>, string | number>>,
  cause?: unknown,
): StartRefused {
  const given: Readonly<Record<string, string | number>> = facts;
  const { says } = REFUSED_STARTS[name];
  const message = says.replaceAll(/\{(\w+)\}/g, (_, fact: string) => String(given[fact]));
  return new StartRefused(message, { cause });
}

/** Error codes of the system and of SQLite. */
const NO_DIRECTORY = /^(EEXIST|ENOTDIR)$/;
const DISK_FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

/** The refusal for a system or SQLite error on the directory `path`. */
export function refusalByMachine(path: string, cause: unknown): StartRefused {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: string };
  const problem = String(code ?? message);
  if (NO_DIRECTORY.test(problem)) return refusedStart("data_dir_is_file", { path }, cause);
  if (DISK_FULL.test(problem)) {
    return refusedStart("disk_full", { path, free: 0, needed: ROOM_MIB }, cause);
  }
  if (DAMAGED.test(problem)) {
    return refusedStart("lock_damaged", { file: `${path}/lock.db` }, cause);
  }
  return refusedStart("data_dir_unwritable", { path, code: problem }, cause);
}

/** Prints a refusal on stderr, in red on a terminal. */
export function printRefusal({ message }: StartRefused): void {
  const { red } = paintOf(process.stderr, process.env);
  process.stderr.write(`${red("innkeep:")} ${message}\n`);
}

/** Free disk space that a start needs: Redis and SQLite write before the first request. */
export const ROOM_MIB = 32;
