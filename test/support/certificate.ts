/**
 * A self-signed TLS certificate for the servers that tests start (RFC 5280), written byte by byte
 * because nothing in the runtime makes one. Good for an hour, from a minute ago.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  /** Both PEM. */
  readonly cert: string;
  readonly key: string;
}

/** One DER value: tag, length, content (X.690 §8.1). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const SUBJECT_ALT_NAME = oid("551d11");

function utcTime(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}

/** A certificate for one host name. */
export function selfSigned(name: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const host = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const now = Date.now();
  const altNames = der(0x04, sequence(der(0x82, Buffer.from(name))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    host,
    sequence(utcTime(now - 60_000), utcTime(now + 3_600_000)),
    host,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, altNames))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const text = sequence(body, ECDSA_WITH_SHA256, signature).toString("base64");
  const lines = text.match(/.{1,64}/g)!.join("\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
