/** Address and secret that a command uses. */
import { join } from "node:path";
import type { Environment } from "../../settings-reader.ts";
import { readDemoFile } from "../demo/demo-file.ts";
import { CommandFailed } from "./failures.ts";

export interface Access {
  /** Origin of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly secret: string;
  /** Set when the secret comes from the demo file. */
  readonly assumed_tenant_id?: string;
}

const DEFAULT_URL = "http://localhost:3000";

export const ACCESS_HELP = `Environment:
  INNKEEP_URL     address of the service (default: from DATA_DIR/demo.json)
  INNKEEP_SECRET  secret of an operator (default: from DATA_DIR/demo.json)

Exit codes: 0 done, 1 refused or unreachable, 2 usage, 130 interrupted.
`;

function urlOf(value: string): string {
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) {
    return value.replace(/\/+$/, "");
  }
  const expected = "an http or https address without user, query and fragment";
  throw new CommandFailed(`INNKEEP_URL must be ${expected}`);
}

/**
 * `INNKEEP_URL` and `INNKEEP_SECRET`, with the demo file as default. The demo's secret is sent to
 * the demo's address only.
 *
 * @throws CommandFailed naming the variable to set.
 */
export async function accessOf(env: Environment): Promise<Access> {
  const url = env.INNKEEP_URL?.trim() || null;
  const secret = env.INNKEEP_SECRET?.trim() || null;
  const baseUrl = url === null ? null : urlOf(url);
  if (baseUrl !== null && secret !== null) return { baseUrl, secret };
  const path = join(env.DATA_DIR?.trim() || "data", "demo.json");
  const demo = await readDemoFile(path).catch(() => null);
  const demoUrl = demo?.base_url.replace(/\/+$/, "") ?? null;
  if (secret !== null) return { baseUrl: demoUrl ?? DEFAULT_URL, secret };
  if (demo && demoUrl && (baseUrl ?? demoUrl) === demoUrl) {
    const { tenant_id: assumed_tenant_id, admin } = demo;
    return { baseUrl: demoUrl, secret: admin.secret, assumed_tenant_id };
  }
  const why = demo ? `${path} belongs to ${demoUrl}` : `${path} does not exist`;
  throw new CommandFailed(
    `no secret: set INNKEEP_SECRET to the secret of an operator (${why}); ` +
      "`npm run --silent admin -- tenant create --name NAME` creates one",
  );
}
