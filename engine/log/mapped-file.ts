/**
 * A small file of fixed length that one process overwrites in place, memory-mapped by its readers
 * so that a read costs no system call; every request reads two of them. Truncating the file would
 * crash its readers, as with the index of SQLite's log.
 */

/** The bytes, current at each read; null while the file is missing or not complete. */
export function mappedFile(path: string, bytes: number): Uint8Array | null {
  try {
    const mapped = Bun.mmap(path);
    return mapped.length === bytes ? mapped : null;
  } catch {
    return null;
  }
}
