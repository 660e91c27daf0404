/** Validation of a document against the schemas of `feeds/schemas`, with xmllint if installed. */
import { fileURLToPath } from "node:url";
import type { DocumentKind } from "../../../feeds/reading/document.ts";

const SCHEMAS: Readonly<Record<DocumentKind, string>> = {
  "hotel-list": "feed-hotel-list.xsd",
  ari: "feed-transaction.xsd",
  pointofsale: "feed-point-of-sale.xsd",
};

const LINES_MAX = 10;

export interface SchemaVerdict {
  readonly validates: boolean;
  /** The first error lines of xmllint. */
  readonly complaints: readonly string[];
}

/**
 * Pipes a document to xmllint while it is read. Both stream, so memory does not grow with the
 * document.
 */
export class SchemaCheck {
  readonly #child: Bun.Subprocess<"pipe", "ignore", "pipe">;
  readonly #complaints: Promise<readonly string[]>;
  #isListening = true;

  /** Null when xmllint is not installed. */
  static begin(kind: DocumentKind): SchemaCheck | null {
    const program = Bun.which("xmllint");
    return program === null ? null : new SchemaCheck(program, kind);
  }

  private constructor(program: string, kind: DocumentKind) {
    const url = import.meta.resolve(`../../../feeds/schemas/${SCHEMAS[kind]}`);
    const args = ["--noout", "--nonet", "--stream", "--schema", fileURLToPath(url), "-"];
    this.#child = Bun.spawn([program, ...args], {
      ...{ stdin: "pipe", stdout: "ignore", stderr: "pipe" },
    });
    this.#complaints = firstLines(this.#child.stderr);
  }

  async take(bytes: Uint8Array): Promise<void> {
    if (!this.#isListening) return;
    try {
      this.#child.stdin.write(bytes);
      await this.#child.stdin.flush();
    } catch {
      // xmllint has stopped reading; its exit code is the verdict.
      this.#isListening = false;
    }
  }

  async end(): Promise<SchemaVerdict> {
    await Promise.resolve(this.#child.stdin.end()).catch(() => undefined);
    const [code, complaints] = await Promise.all([this.#child.exited, this.#complaints]);
    return { validates: code === 0, complaints };
  }

  stop(): void {
    this.#child.kill();
  }
}

/** The first lines. The others are read and dropped, so that xmllint does not block on its pipe. */
async function firstLines(stream: ReadableStream<Uint8Array>): Promise<readonly string[]> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let rest = "";
  for await (const chunk of stream) {
    if (lines.length >= LINES_MAX) continue;
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  }
  // The last line only repeats the exit code.
  const errors = lines.filter((line) => !line.startsWith("- "));
  return errors.map((line) => line.replace(/^-:/, "line ")).slice(0, LINES_MAX);
}
