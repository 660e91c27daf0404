/**
 * A copy of the working tree in a temporary directory, to change it and see what becomes of it.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
/** Git's own directory, and files that runs leave behind. */
const LEFT_BEHIND = /^(?:\.git|data|.*\.log)$/;
/** Pictures of the pages, which another test takes meanwhile. */
const PICTURES = "screenshots";
/** Linked, not copied. Never run npm in the copy: `npm ci` would empty the linked directory. */
const LINKED = "node_modules";
const COPIED = readdirSync(ROOT).filter((name) => name !== LINKED && !LEFT_BEHIND.test(name));

/** A new file, or a text inserted after another that occurs exactly once in the file. */
export interface Edit {
  readonly file: string;
  /** Left out for a new file. */
  readonly after?: string;
  readonly text: string;
}

/** Output and exit code of a command. */
export interface Ended {
  readonly exitCode: number;
  readonly output: string;
}

export class TreeCopy {
  readonly root = mkdtempSync(join(tmpdir(), "innkeep-tree-"));

  constructor() {
    for (const path of COPIED) {
      const filter = (source: string) => basename(source) !== PICTURES;
      cpSync(join(ROOT, path), join(this.root, path), { recursive: true, filter });
    }
    symlinkSync(join(ROOT, LINKED), join(this.root, LINKED));
  }

  /** Whether a file or folder exists. */
  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** @throws Error when `after` does not occur exactly once, or the new file exists. */
  apply({ file, after, text }: Edit): void {
    if (after === undefined) {
      if (this.has(file)) throw new Error(`${file} exists already`);
      writeFileSync(join(this.root, file), text);
      return;
    }
    const parts = this.read(file).split(after);
    if (parts.length !== 2) {
      throw new Error(`${file} has this text ${parts.length - 1} times, not once:\n${after}`);
    }
    writeFileSync(join(this.root, file), parts.join(after + text));
  }

  /** Reverts an edit. */
  undo({ file, after, text }: Edit): void {
    if (after === undefined) rmSync(join(this.root, file));
    else
      writeFileSync(
        join(this.root, file),
        this.read(file).replace(after + text, () => after),
      );
  }

  /** Changes the text of a file; returns what takes it back. */
  rewrite(file: string, change: (source: string) => string): () => void {
    const source = this.read(file);
    writeFileSync(join(this.root, file), change(source));
    return () => writeFileSync(join(this.root, file), source);
  }

  /** Files that are not, byte for byte, what the repository has: changed, new or gone. */
  changed(): string[] {
    const before = COPIED.flatMap((path) => filesAt(ROOT, path));
    const after = COPIED.flatMap((path) => filesAt(this.root, path));
    return [...new Set([...before, ...after])].sort().filter((path) => {
      const [own, other] = [join(this.root, path), join(ROOT, path)];
      if (!existsSync(own) || !existsSync(other)) return true;
      return !readFileSync(own).equals(readFileSync(other));
    });
  }

  /** Runs a command in the copy. */
  async run(
    command: readonly string[],
    timeoutMs: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const child = Bun.spawn([...command], {
      cwd: this.root,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { exitCode: await child.exited, output: out + err };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** All files at a path, relative to `root`. */
function filesAt(root: string, path: string): string[] {
  const full = join(root, path);
  if (basename(path) === PICTURES || !existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full).flatMap((name) => filesAt(root, join(path, name)));
}
