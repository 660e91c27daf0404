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

/**
 * Maps a file of fixed length that one process overwrites in place, so that a read costs no system
 * call; every request reads two of them. The bytes are current at each read; null while the file is
 * missing or not complete. Truncating the file would crash its readers, as with the index of
 * SQLite's log.
 */
export function mappedFile(path: string, bytes: number): Uint8Array | null {
  try {
    const mapped = Bun.mmap(path);
    return mapped.length === bytes ? mapped : null;
  } catch {
    return null;
  }
}
