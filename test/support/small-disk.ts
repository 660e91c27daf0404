/** A file system of a few MiB at `DATA_DIR`, in a namespace of its own. */
import { tmpdir } from "node:os";

/** What a command is run through to get it; `options` are those of `mount`. */
export function onFileSystem(options: string): readonly string[] {
  return [
    ...["unshare", "--map-root-user", "--mount", "sh", "-c"],
    ...[`mount -t tmpfs -o ${options} none "$DATA_DIR" && exec "$@"`, "sh"],
  ];
}

/** False where the machine lets nobody mount. */
export const canMount =
  Bun.spawnSync([...onFileSystem("size=8m"), "true"], {
    env: { ...process.env, DATA_DIR: tmpdir() },
  }).exitCode === 0;
