/** A document held against the schemas of `feeds/schemas`, by xmllint where it is installed. */
import { fileURLToPath } from "node:url";
import type { DocumentKind } from "../../feeds/reading/document.ts";

const SCHEMAS: Readonly<Record<DocumentKind, string>> = {
  "hotel-list": "feed-hotel-list.xsd",
  ari: "feed-transaction.xsd",
  pointofsale: "feed-point-of-sale.xsd",
};

const LINES_MAX = 10;

export interface SchemaVerdict {
  readonly validates: boolean;
  /** Its first complaints. */
  readonly complaints: readonly string[];
}

/**
 * Hands a document on to xmllint as it is read. It streams too, so the memory of neither grows with
 * the document.
 */
export class SchemaCheck {
  readonly #child: Bun.Subprocess<"pipe", "ignore", "pipe">;
  readonly #complaints: Promise<readonly string[]>;
  #isListening = true;

  /** null when there is no xmllint. */
  static begin(kind: DocumentKind): SchemaCheck | null {
    const program = Bun.which("xmllint");
    return program === null ? null : new SchemaCheck(program, kind);
  }

  private constructor(program: string, kind: DocumentKind) {
    const url = import.meta.resolve(`../../feeds/schemas/${SCHEMAS[kind]}`);
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
      // It has seen enough: its exit code says what of.
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

/** The first lines, the others read and dropped so that nobody waits for them to be read. */
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
  // Its last line only repeats its exit code.
  const said = lines.filter((line) => !line.startsWith("- "));
  return said.map((line) => line.replace(/^-:/, "line ")).slice(0, LINES_MAX);
}
