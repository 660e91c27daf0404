import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes a file's content durable, or a directory's names. */
export function fsyncPath(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
