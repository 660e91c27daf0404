/**
 * A wall clock that a test can set, for real processes: a library, preloaded into each of them,
 * adds to the time of day what a shared file says. The steady clock is left as it is, as it is in
 * life when somebody sets a clock.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static int64_t shift_ms(void) {
  static volatile int64_t *shared;
  if (!shared) {
    const char *path = getenv("CLOCK_SHIFT_FILE");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    void *map = mmap(0, 8, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) return 0;
    shared = map;
  }
  return *shared;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, at);
  if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) {
    int64_t ms = shift_ms();
    at->tv_sec += ms / 1000;
  }
  return result;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

typedef int (*wait_t)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

/* The kernel compares with its own clock: a deadline of ours would end each wait at once. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *at) {
  static wait_t real;
  struct timespec until = *at;
  if (!real) real = (wait_t)dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!real) real = (wait_t)dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  /* An earlier one is a time of the steady clock. */
  if (until.tv_sec > 1000000000) until.tv_sec -= shift_ms() / 1000;
  return real(cond, mutex, &until);
}
`;

export class ShiftedClock {
  /** For the processes whose clock it is. */
  readonly env: Readonly<Record<string, string>>;
  /** Wall clock of those processes minus that of the test; whole seconds. */
  aheadMs = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), "innkeep-clock-"));
  readonly #fd: number;

  constructor() {
    const at = (name: string) => join(this.#folder, name);
    writeFileSync(at("clock.c"), SOURCE);
    const made = Bun.spawnSync(["cc", "-shared", "-fPIC", "-o", at("clock.so"), at("clock.c")]);
    if (made.exitCode !== 0) throw new Error(`no clock to set: ${made.stderr}`);
    writeFileSync(at("shift"), Buffer.alloc(8));
    this.#fd = openSync(at("shift"), "r+");
    this.env = { LD_PRELOAD: at("clock.so"), CLOCK_SHIFT_FILE: at("shift") };
  }

  /** Sets the clock by as much, from what it shows. */
  jump(byMs: number): void {
    this.aheadMs += byMs;
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(this.aheadMs));
    writeSync(this.#fd, bytes, 0, 8, 0);
  }

  setRight(): void {
    this.jump(-this.aheadMs);
  }

  close(): void {
    closeSync(this.#fd);
    rmSync(this.#folder, { recursive: true });
  }
}
