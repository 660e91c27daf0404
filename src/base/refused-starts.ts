/**
 * Starts that are refused by name, in one table: when, in which words, with which exit code. The
 * guide shows it, and tests hold every sentence against what a start really says.
 */
import { StartRefused } from "../lifecycle.ts";
import { paintOf } from "./terminal.ts";

interface RefusedStart {
  /** For the guide. */
  readonly when: string;
  /** The first line behind `innkeep: `; what stands in braces differs. */
  readonly says: string;
  /** `EXIT_CONFIG` unless given. */
  readonly exitCode?: number;
}

/** What nothing here makes is said where it is found out: by npm's scripts, or by a store. */
export const REFUSED_STARTS = {
  old_node: {
    when: "Node is too old",
    says: "this is Node {found}, and Innkeep needs Node {needed} or later: install one from https://nodejs.org, or run `nvm install --lts`",
  },
  no_registry: {
    when: "packages are missing, and npm cannot fetch them",
    says: "the package registry {address} cannot be reached ({code}): taking packages from npm's cache alone",
    exitCode: 1,
  },
  bad_settings: { when: "settings are bad", says: "bad configuration:" },
  data_dir_is_file: {
    when: "`DATA_DIR` is a file, or lies below one",
    says: "{path} is no directory: set DATA_DIR to one",
  },
  data_dir_unwritable: {
    when: "`DATA_DIR` cannot be made or written to",
    says: "{path} cannot be written ({code}): give it to this user, or set DATA_DIR to a directory of its own",
  },
  data_dir_not_ours: {
    when: "`DATA_DIR`, or a file in it, is another user's",
    says: "{path} is not this user's to read and write: own it",
  },
  data_dir_in_use: {
    when: "another process runs on `DATA_DIR`",
    says: "{path} is in use by process {pid}: stop that one, or set DATA_DIR to another directory",
  },
  disk_full: {
    when: "the disk is full",
    says: "the disk of {path} has {free} MiB left, and a start needs {needed}: make room, or set DATA_DIR to another disk",
  },
  lock_damaged: {
    when: "`lock.db`, which holds nothing, is damaged",
    says: "{file} is damaged: remove it, it holds nothing",
  },
  file_damaged: {
    when: "`control.db`, `mail.db`, `deliveries.db` or `sandbox-provider.db` is damaged",
    says: "{file} is damaged ({problem}): restore it",
  },
  file_of_other_format: {
    when: "a data file has another format",
    says: "{file} has format {format}, this version reads format {known}: start the version that wrote it, or set DATA_DIR to an empty directory",
  },
  secrets_unreadable: {
    when: "`secrets.json` is damaged",
    says: "{file} cannot be read: restore it from a backup",
  },
  secrets_incomplete: {
    when: "`secrets.json` lacks keys, or is of a newer version",
    says: "{file} lacks keys or holds bad ones: restore it from a backup",
  },
  demo_damaged: {
    when: "`demo.json` is damaged",
    says: "{file} is damaged: restore it, or remove it and go on without the demo's credentials",
  },
  journal_unreadable: {
    when: "the journal is damaged, has another format, or is no journal at all",
    says: "journal_unreadable: {file} is no journal that this version reads ({problem}): restore a back-up, start the version that wrote it, or set DATA_DIR to an empty directory",
  },
  redis_unreachable: {
    when: "the Redis of `REDIS_URL` does not answer for `START_TIMEOUT_S`",
    says: "Redis at {address} did not answer within {seconds} s ({problem}): start it, or set REDIS_URL to the right one",
  },
  redis_login: {
    when: "it refuses the password",
    says: "Redis at {address} refuses the login ({problem}): set REDIS_URL to redis://[user]:password@host",
  },
  redis_other: {
    when: "something else answers there",
    says: "what answers at {address} is not Redis ({problem}): set REDIS_URL to the right address",
  },
  port_in_use: {
    when: "the port is in use",
    says: "port {port} of {host} is in use by another program: stop that one, or set {variable} to another",
  },
  port_refused: {
    when: "the port may not be listened on, or the address is not of this machine",
    says: "port {port} of {host} cannot be listened on ({code}): set {variable} or {hostVariable}",
  },
} as const satisfies Readonly<Record<string, RefusedStart>>;

type Name = keyof typeof REFUSED_STARTS;

/** The names in braces. */
type FactsIn<Says extends string> = Says extends `${string}{${infer Fact}}${infer Rest}`
  ? Fact | FactsIn<Rest>
  : never;

/** The refusal `name` with what differs filled in. */
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

/** Errors of a path, and of SQLite on it, by what they say of `DATA_DIR`. */
const NO_DIRECTORY = /^(EEXIST|ENOTDIR)$/;
const DISK_FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

/** The refusal of a start that the machine keeps from using `dataDir`; `cause` is what it said. */
export function refusalByMachine(path: string, cause: unknown): StartRefused {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: string };
  const told = String(code ?? message);
  if (NO_DIRECTORY.test(told)) return refusedStart("data_dir_is_file", { path }, cause);
  if (DISK_FULL.test(told)) {
    return refusedStart("disk_full", { path, free: 0, needed: ROOM_MIB }, cause);
  }
  if (DAMAGED.test(told)) {
    return refusedStart("lock_damaged", { file: `${path}/lock.db` }, cause);
  }
  return refusedStart("data_dir_unwritable", { path, code: told }, cause);
}

/** Tells whoever started us why they are refused, and what to do, in red on a terminal. */
export function sayRefused({ message }: StartRefused): void {
  const { red } = paintOf(process.stderr, process.env);
  process.stderr.write(`${red("innkeep:")} ${message}\n`);
}

/** What a start needs on the disk of `DATA_DIR`: Redis and SQLite write before anybody books. */
export const ROOM_MIB = 32;
