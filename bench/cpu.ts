/** What processes cost, read from Linux's /proc; every function throws when the process is gone. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** Length of one tick in /proc/<pid>/stat: USER_HZ is 100 on every Linux Bun runs on. */
const TICK_MICROS = 10_000;

/** User and system time of all threads so far, in microseconds, in steps of 10 ms. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field is the command in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [utime, stime] = [fields[11], fields[12]];
  return (Number(utime) + Number(stime)) * TICK_MICROS;
}

/** Resident memory in bytes; pages shared between processes count in each of them. */
export function rssBytes(pid: number): number {
  return memoryOf(pid, "VmRSS");
}

/** The most that `rssBytes` has ever been. */
export function peakRssBytes(pid: number): number {
  return memoryOf(pid, "VmHWM");
}

function memoryOf(pid: number, name: string): number {
  const text = readFileSync(`/proc/${pid}/status`, "latin1");
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text);
  if (match === null) throw new Error(`process ${pid} has no memory: it has ended`);
  return Number(match[1]) * 1024;
}

/** The process and all its descendants at this moment, parents first. */
export function processTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/**
 * The role of one of our processes (`main.ts <role>`), what it builds, or the name of its program.
 */
export function processName(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
  if (words.some((word) => word.endsWith("/feeds/main.ts"))) return "feed";
  const role = words.findIndex((word) => word.endsWith("/main.ts")) + 1;
  if (role > 0) return words[role]!;
  // A server may replace its command line by a sentence, such as `postgres: writer`.
  // The npm package of Bun calls its program bun.exe on every system.
  return basename(words[0]!.split(/[: ]/)[0]!, ".exe");
}

/** What all processes of the machine have used so far, in microseconds, in steps of 10 ms. */
export function machineCpuMicros(): number {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n");
  const [, user, nice, system, _idle, _iowait, irq, softirq, steal] = line.split(/ +/).map(Number);
  return [user, nice, system, irq, softirq, steal].reduce((sum: number, ticks) => {
    return sum + (ticks ?? 0) * TICK_MICROS;
  }, 0);
}
