/**
 * The machine's two clocks. The wall clock has civil time and may be set; the steady clock counts
 * from the boot, never jumps, counts sleep, and is the same in all processes of the machine, so
 * that they can compare its values.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { readFileSync } from "node:fs";

export interface TimeSource {
  /** Epoch milliseconds; may jump. */
  readonly wallMs: () => number;
  /** Milliseconds from any origin; never jumps. */
  readonly monotonicMs: () => number;
}

/** The clock that counts sleep: CLOCK_BOOTTIME, and CLOCK_MONOTONIC on macOS. */
const LIBRARIES = {
  linux: { clock: 7, names: ["libc.so.6", "libc.so"] },
  darwin: { clock: 6, names: ["libSystem.B.dylib"] },
};
const SYMBOLS = {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
} as const;

/** `performance.now` and Bun's `hrtime` count from the start of a process: not comparable. */
function steadyClock(): () => number {
  const { clock, names } = LIBRARIES[process.platform === "darwin" ? "darwin" : "linux"];
  const timespec = new BigInt64Array(2);
  const address = ptr(timespec);
  for (const name of names) {
    let read: (clock: number, into: typeof address) => number;
    try {
      read = dlopen(name, SYMBOLS).symbols.clock_gettime;
    } catch {
      continue; // Another C library; the next name may be its own.
    }
    return () => {
      if (read(clock, address) !== 0) throw new Error("the system has no steady clock");
      return Number(timespec[0]) * 1e3 + Number(timespec[1]) / 1e6;
    };
  }
  throw new Error(`no C library to read the steady clock with: ${names.join(", ")}`);
}

/** The clocks of this machine. */
export const SYSTEM_TIME: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: steadyClock(),
};

/** The id of the boot that the steady clock counts from; null where the system has none. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}
