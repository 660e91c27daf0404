/** libxml2 as a second reader of what is written: of its form, and of the formats' schemas. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type OtaSchema = "ota-rates" | "ota-availability" | "ota-inventory";
export type FeedSchema = "hotel-list" | "point-of-sale" | "transaction" | OtaSchema;

const SCHEMAS = join(import.meta.dir, "../../feeds/schemas");

function run(args: readonly string[], document: string | Uint8Array): string {
  const directory = mkdtempSync(join(tmpdir(), "xmllint-"));
  const path = join(directory, "document.xml");
  try {
    writeFileSync(path, document);
    const { exitCode, stdout, stderr } = Bun.spawnSync(["xmllint", "--nonet", ...args, path]);
    if (exitCode === 0) return stdout.toString();
    throw new Error(stderr.toString().replaceAll(path, "document"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Throws what is wrong with a document by its schema. */
export function validate(schema: FeedSchema, document: string | Uint8Array): void {
  run(["--huge", "--noout", "--schema", join(SCHEMAS, `feed-${schema}.xsd`)], document);
}

/** The document as libxml2 writes it after reading it, in UTF-8. */
export function rewritten(document: string): string {
  return run(["--huge", "--encode", "UTF-8"], document);
}
