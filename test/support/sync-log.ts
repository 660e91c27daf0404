/**
 * What processes make durable, seen from outside of them: a library, preloaded into each, notes
 * every `fsync`, `rename` and `link` in one log before it is done. The notes of all processes and
 * the test's own marks stand in the order in which they happened.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void note(const char *deed, const char *path, const char *to) {
  char line[8192];
  const char *log = getenv("SYNC_LOG");
  int fd = log ? open(log, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (fd < 0) return;
  int length = snprintf(line, sizeof line, "%s\\t%s\\t%s\\n", deed, path, to);
  if (write(fd, line, length) != length) abort();
  close(fd);
}

static void note_fd(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  note("sync", path, "");
}

#define REAL(name, ...) \\
  static int (*real)(__VA_ARGS__); \\
  if (!real) real = dlsym(RTLD_NEXT, #name);

int fsync(int fd) { REAL(fsync, int) note_fd(fd); return real(fd); }
int fdatasync(int fd) { REAL(fdatasync, int) note_fd(fd); return real(fd); }
int rename(const char *from, const char *to) {
  REAL(rename, const char *, const char *)
  note("move", from, to);
  return real(from, to);
}
int renameat(int a, const char *from, int b, const char *to) {
  REAL(renameat, int, const char *, int, const char *)
  note("move", from, to);
  return real(a, from, b, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  REAL(renameat2, int, const char *, int, const char *, unsigned)
  note("move", from, to);
  return real(a, from, b, to, flags);
}
int link(const char *from, const char *to) {
  REAL(link, const char *, const char *)
  note("move", from, to);
  return real(from, to);
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
  REAL(linkat, int, const char *, int, const char *, int)
  note("move", from, to);
  return real(a, from, b, to, flags);
}
`;

/** `sync`: a file or directory was made durable; `move`: it got another name; `mark`: a test's. */
export interface Noted {
  readonly deed: "sync" | "move" | "mark";
  readonly path: string;
  readonly to: string;
}

/** Notes a mark from within a process whose syncs are noted. */
export function mark(name: string): void {
  appendFileSync(process.env.SYNC_LOG ?? "", `mark\t${name}\t\n`);
}

export class SyncLog {
  /** For the processes whose syncs are noted. */
  readonly env: Readonly<Record<string, string>>;
  readonly #folder = mkdtempSync(join(tmpdir(), "innkeep-syncs-"));
  readonly #path = join(this.#folder, "log");

  constructor() {
    const at = (name: string) => join(this.#folder, name);
    writeFileSync(at("syncs.c"), SOURCE);
    const made = Bun.spawnSync(["cc", "-shared", "-fPIC", "-o", at("syncs.so"), at("syncs.c")]);
    if (made.exitCode !== 0) throw new Error(`no syncs can be seen: ${made.stderr}`);
    writeFileSync(this.#path, "");
    this.env = { LD_PRELOAD: at("syncs.so"), SYNC_LOG: this.#path };
  }

  /** Notes a mark of the test's own. */
  mark(name: string): void {
    appendFileSync(this.#path, `mark\t${name}\t\n`);
  }

  read(): Noted[] {
    const lines = readFileSync(this.#path, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => {
      const [deed, path, to] = line.split("\t") as [Noted["deed"], string, string];
      return { deed, path, to };
    });
  }

  /** What was noted between two marks. */
  between(from: string, to: string): Noted[] {
    const all = this.read();
    const at = (name: string) =>
      all.findIndex(({ deed, path }) => deed === "mark" && path === name);
    if (at(from) < 0 || at(to) < at(from)) throw new Error(`no ${from} before ${to} in the log`);
    return all.slice(at(from) + 1, at(to));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** The names that were made durable. */
export function synced(noted: readonly Noted[]): string[] {
  return noted.filter(({ deed }) => deed === "sync").map(({ path }) => path);
}

/**
 * What a loss of power could undo of the moves: whatever is moved must be durable before it gets
 * its name, a folder after everything that is in it, and the folder that it is moved to after that.
 * `insideOf`: the paths in a folder that was moved, relative to it; none for files.
 */
export function unsafeMoves(
  noted: readonly Noted[],
  insideOf: (path: string) => readonly string[] = () => [],
): string[] {
  /** When each path was last made durable. */
  const durableAt = new Map<string, number>();
  const problems: string[] = [];
  for (const [i, { deed, path, to }] of noted.entries()) {
    if (deed === "sync") durableAt.set(path, i);
    if (deed !== "move") continue;
    const inside = insideOf(to).map((each) => `/${each}`);
    for (const part of ["", ...inside]) {
      const at = durableAt.get(path + part);
      const holder = durableAt.get(dirname(path + part)) ?? -1;
      if (at === undefined) problems.push(`${path + part} was not durable as ${to}`);
      else if (part !== "" && holder < at) problems.push(`${path + part} was put in afterwards`);
      else durableAt.set(to + part, at);
    }
    const isKept = noted.slice(i).some((later) => {
      return later.deed === "sync" && later.path === dirname(to);
    });
    if (!isKept) problems.push(`the name ${to} was not made durable`);
  }
  return problems;
}
