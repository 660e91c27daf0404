/**
 * A small file of fixed length that one process overwrites in place, as others see it: mapped, so
 * that a look costs no system call. Every request looks at two of them. Whoever made such a file
 * shorter would end its readers; the index of SQLite's log is shared in the same way.
 */

/** The bytes as they are at each look; null while the file is not there, or not yet whole. */
export function mappedFile(path: string, bytes: number): Uint8Array | null {
  try {
    const mapped = Bun.mmap(path);
    return mapped.length === bytes ? mapped : null;
  } catch {
    return null;
  }
}
