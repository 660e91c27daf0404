/**
 * `npm run --silent mint-delegation` prints a delegation token (spec part 5) signed with the key of
 * `demo.json`, so that a new user can book and cancel without an issuer.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importJWK, type JWTPayload, SignJWT } from "jose";
import { type DemoDelegation, readDemoFile } from "./demo-file.ts";

export interface DelegationOptions {
  /** The traveler. */
  readonly sub: string;
  /** Life from `iat`, seconds. */
  readonly ttlS: number;
  /** Binds the token to one hold. */
  readonly holdId?: string;
  /** Binds the token to at most this amount, minor units of the quote's currency. */
  readonly maxAmount?: number;
}

const TTL_S_MAX = 600;

const USAGE = `Usage: npm run --silent mint-delegation -- [options]

Prints a delegation token for the X-Delegated-User header of bookings and cancellations.

  --sub TEXT         traveler (default traveler-1)
  --ttl-s SECONDS    validity, 1 to ${TTL_S_MAX} (default 300)
  --hold-id ID       valid for this hold only
  --max-amount N     valid up to this amount, in minor units
  --demo PATH        demo.json to use (default DATA_DIR/demo.json; DATA_DIR defaults to ./data)
  --help             this text
`;

/** A token signed with the demo issuer's key: fresh `jti`, `iat` now. */
export async function mintDelegation(
  delegation: DemoDelegation,
  options: DelegationOptions,
): Promise<string> {
  const { iss, aud, alg, kid, private_jwk } = delegation;
  const iat = Math.floor(Date.now() / 1000);
  const bound: JWTPayload = {};
  if (options.holdId !== undefined) bound.hold_id = options.holdId;
  if (options.maxAmount !== undefined) bound.max_amount = options.maxAmount;
  const claims = { iss, sub: options.sub, aud, iat, exp: iat + options.ttlS };
  return new SignJWT({ ...claims, jti: crypto.randomUUID(), ...bound })
    .setProtectedHeader({ alg, kid, typ: "JWT" })
    .sign(await importJWK(private_jwk, alg));
}

function integerOption(name: string, text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= most) return value;
  throw new Error(`${name} must be a whole number from 1 to ${most}`);
}

/** Returns the usage or a token. Throws for a bad command line. */
async function run(args: readonly string[], dataDir: string): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sub: { type: "string", default: "traveler-1" },
      "ttl-s": { type: "string", default: "300" },
      "hold-id": { type: "string" },
      "max-amount": { type: "string" },
      demo: { type: "string", default: join(dataDir, "demo.json") },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return USAGE;
  if (values.sub === "") throw new Error("--sub must not be empty");
  const holdId = values["hold-id"];
  const maxAmount = values["max-amount"];
  const options: DelegationOptions = {
    sub: values.sub,
    ttlS: integerOption("--ttl-s", values["ttl-s"], TTL_S_MAX),
    ...(holdId === undefined ? {} : { holdId }),
    ...(maxAmount === undefined
      ? {}
      : { maxAmount: integerOption("--max-amount", maxAmount, Number.MAX_SAFE_INTEGER) }),
  };
  const { delegation } = await readDemoFile(values.demo).catch((cause) => {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    throw new Error(
      `${values.demo} does not exist: start the demo first (npm start), or set DATA_DIR`,
    );
  });
  return `${await mintDelegation(delegation, options)}\n`;
}

if (import.meta.main) {
  try {
    process.stdout.write(await run(process.argv.slice(2), process.env.DATA_DIR || "data"));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
