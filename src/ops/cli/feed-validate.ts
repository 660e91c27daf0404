/** `feeds validate`: checks documents as partners do. */
import { type Checked, checkDocument, checkTogether } from "../../../feeds/check/check.ts";
import { documentKindIn } from "../../../feeds/reading/document.ts";
import { type ExitCode, UsageError } from "../../lib/command-line.ts";
import { accessOf } from "./access.ts";
import type { Session } from "./command.ts";
import { feedNamed, feedsOf } from "./feed-build.ts";
import { readProgress } from "./feed-progress.ts";
import { SchemaCheck } from "./feed-schema.ts";
import { feedSource } from "./feed-source.ts";
import { documentText, isValid, togetherText, type Validated } from "./feed-views.ts";
import { asJson } from "./terminal.ts";

/** Enough to contain the root element. */
const BEGINNING_BYTES = 16_384;

/** The first bytes of a document as text, and the whole document. */
async function begun(stream: AsyncIterable<Uint8Array>) {
  const iterator = stream[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < BEGINNING_BYTES) {
    const { done, value } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* whole() {
    try {
      yield* first.splice(0);
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      // Closes the source when the check stops early.
      await iterator.return?.();
    }
  }
  return { text: Buffer.concat(first).toString("utf8"), bytes: whole() };
}

async function* handedOn(bytes: AsyncIterable<Uint8Array>, schema: SchemaCheck) {
  for await (const chunk of bytes) {
    await schema.take(chunk);
    yield chunk;
  }
}

async function validatedSource({ terminal, signal }: Session, word: string): Promise<Validated> {
  const source = await feedSource(word, signal);
  const { text, bytes } = await begun(source.bytes(readProgress(terminal, source)));
  const kind = documentKindIn(text);
  const schema = kind === null ? null : SchemaCheck.begin(kind);
  try {
    const read = schema === null ? bytes : handedOn(bytes, schema);
    const checked = await checkDocument(read, Date.now());
    signal.throwIfAborted();
    if (checked.facts === null) return { name: source.name, checked, schema: "unread" as const };
    const verdict = schema === null ? ("no_xmllint" as const) : await schema.end();
    return { name: source.name, checked, schema: verdict };
  } finally {
    schema?.stop();
  }
}

function jsonOf(validated: Validated) {
  const { name, checked, schema } = validated;
  const { propertyIds: _ids, ...shown } = checked;
  return { document: name, is_valid: isValid(validated), schema, ...shown };
}

/** The hotel list and the prices, when exactly one of each was read. */
function pairOf(validated: readonly Validated[]): readonly [Checked, Checked] | null {
  const of = (kind: string) => validated.filter(({ checked }) => checked.kind === kind);
  const [[list, ...lists], [ari, ...aris]] = [of("hotel-list"), of("ari")];
  if (!list || !ari || lists.length > 0 || aris.length > 0) return null;
  return list.checked.facts && ari.checked.facts ? [list.checked, ari.checked] : null;
}

/** The addresses of a partner's documents at this service. */
async function servedTo(
  session: Session,
  partner: string,
  days: number | undefined,
): Promise<readonly string[]> {
  const feed = feedNamed(await feedsOf(await session.api()), partner);
  const { baseUrl } = await accessOf(session.env);
  const user = session.env.FEED_USER?.trim() || null;
  if (feed.needs_credential && user === null) {
    throw new UsageError(`${feed.partner} needs a password: set FEED_USER to user:password`);
  }
  const { hotel_list, ari, point_of_sale } = feed.documents;
  return [hotel_list, days === undefined ? ari : `${ari}&days=${days}`, point_of_sale].map(
    (address) => {
      // The service's public address may not be reachable from here.
      const url = new URL(baseUrl + address.slice(address.indexOf("/feeds/")));
      if (feed.needs_credential && user !== null) {
        const [name = "", ...rest] = user.split(":");
        url.username = encodeURIComponent(name);
        url.password = encodeURIComponent(rest.join(":"));
      }
      return url.href;
    },
  );
}

interface Asked {
  readonly partner: string | undefined;
  readonly days: number | undefined;
  readonly json: boolean;
}

/** Checks the documents in sequence; 0 when all are valid. */
export async function runValidate(
  session: Session,
  { partner, days, json }: Asked,
  documents: readonly string[],
): Promise<ExitCode> {
  if (partner !== undefined && documents.length > 0) {
    throw new UsageError("use DOCUMENT or --partner, not both");
  }
  if (days !== undefined && partner === undefined) throw new UsageError("--days needs --partner");
  const words = partner === undefined ? documents : await servedTo(session, partner, days);
  if (words.length === 0) throw new UsageError("DOCUMENT or --partner is missing");
  const { terminal } = session;
  const validated: Validated[] = [];
  for (const word of words) {
    const found = await validatedSource(session, word);
    validated.push(found);
    if (!json) terminal.out(documentText(found));
  }
  const pair = pairOf(validated);
  const together = pair && checkTogether(...pair);
  if (json) {
    terminal.out(asJson({ documents: validated.map(jsonOf), together }));
  } else if (together) {
    terminal.out(togetherText(together));
  }
  return validated.every(isValid) && (together?.faults.length ?? 0) === 0 ? 0 : 1;
}
