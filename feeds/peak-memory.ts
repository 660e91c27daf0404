import { readFileSync } from "node:fs";

/**
 * Peak resident memory of this process. On Linux, getrusage(2) reports at least the memory of the
 * process that forked this one, even after exec, so a build would be charged with its worker's.
 */
export function peakRssBytes(): number {
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  } catch {
    // Not Linux: getrusage is correct there.
  }
  return process.resourceUsage().maxRSS * 1_024;
}
