/** What makes a file durable, and its name. */
import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes a file's content durable, or of a directory the names in it. */
export function fsyncPath(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
