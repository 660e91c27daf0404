/** A delivery as shell commands, to send it by hand. */

/** Characters that move the cursor or change the text direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The same JSON without characters that a terminal interprets. Messages for partners contain only
 * ids, dates and numbers.
 */
function visible(body: string): string {
  if (!body.startsWith("{")) return body;
  return body.replace(UNPRINTABLE, (sign) => {
    const units = Array.from({ length: sign.length }, (_, i) => sign.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** The text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface CurlTerms {
  readonly id: string;
  readonly body: string;
  readonly contentType?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * POSIX shell commands that sign and send the event. A signature is valid for minutes and needs a
 * secret, so it is made when they run, with the secret that the operator has put into
 * WEBHOOK_SECRET. Masked header values stay masked.
 */
export function curlOf(
  url: string,
  { id, body, contentType = "application/json", headers }: CurlTerms,
): string {
  const own = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const sent = [
    ...[`"content-type: ${contentType}"`, '"webhook-id: $id"', '"webhook-timestamp: $at"'],
    '"webhook-signature: v1,$signature"',
  ];
  return [
    `( : "\${WEBHOOK_SECRET:?set it to the endpoint's whsec_ secret}"`,
    `id=${quoted(id)}; at=$(date +%s)`,
    `body=${quoted(visible(body))}`,
    `key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    `signature=$(printf %s "$id.$at.$body" |`,
    `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)`,
    `curl -i -X POST ${quoted(new URL(url).href)} \\`,
    ...[...own, ...sent.map((header) => `-H ${header}`)].map((header) => `  ${header} \\`),
    `  --data-binary "$body" )`,
  ].join("\n");
}
