/** What the figures were measured on. Speed of the disk decides more than anything else. */
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { join } from "node:path";

const SYNCS = 200;
const BLOCK_BYTES = 4096;

export interface FileSystem {
  readonly device: string;
  /** As the kernel names it, such as `ext4` or `tmpfs`. */
  readonly type: string;
}

/** The file system that holds an absolute path (proc_pid_mounts(5)). */
export function fileSystemOf(path: string): FileSystem {
  let best = { point: "", device: "unknown", type: "unknown" };
  for (const line of readFileSync("/proc/self/mounts", "utf8").split("\n")) {
    const [device, point, type] = line.split(" ");
    if (device === undefined || point === undefined || type === undefined) continue;
    const isAbove = path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`);
    // A later mount on the same point hides the earlier one.
    if (isAbove && point.length >= best.point.length) best = { point, device, type };
  }
  return { device: best.device, type: best.type };
}

/** Median time to append 4 KiB to a file in `directory` and sync its data, in microseconds. */
export function fdatasyncP50Micros(directory: string): number {
  const path = join(directory, "fdatasync-probe");
  const fd = openSync(path, "w");
  try {
    const block = Buffer.alloc(BLOCK_BYTES, 1);
    const micros = Array.from({ length: SYNCS }, () => {
      writeSync(fd, block);
      const startMs = performance.now();
      fdatasyncSync(fd);
      return (performance.now() - startMs) * 1000;
    });
    return micros.toSorted((a, b) => a - b)[SYNCS >> 1]!;
  } finally {
    closeSync(fd);
    rmSync(path);
  }
}

/** One line per fact: processor, memory, disk under `directory`, versions. */
export function describeMachine(directory: string): string[] {
  const { device, type } = fileSystemOf(directory);
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  return [
    `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}, ${gibibytes} GiB`,
    `${type} on ${device}, fdatasync p50 ${fdatasyncP50Micros(directory).toFixed(0)} µs`,
    `Linux ${release().replace(/-.*/, "")}, Bun ${Bun.version}`,
  ];
}
