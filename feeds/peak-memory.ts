import { readFileSync } from "node:fs";

/**
 * The most resident memory that this process has held. What getrusage(2) calls the most is, on
 * Linux, at least what the process held from which this one was forked: its peak lives through
 * exec. A build would be charged with the memory of the worker that starts it.
 */
export function peakRssBytes(): number {
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  } catch {
    // No Linux: there, the process counts for itself.
  }
  return process.resourceUsage().maxRSS * 1_024;
}
