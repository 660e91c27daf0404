/** Where Redis is: at one address, or where sentinels say. */
import { urlPerHost } from "../../src/lib/url-per-host.ts";

/**
 * A Redis with Redis Sentinel: the sentinels know which server is the primary, and make a replica
 * the primary when it is lost.
 */
export interface SentinelTarget {
  /** URL of each sentinel, with its login. */
  readonly sentinels: readonly string[];
  /** The name that the sentinels know the primary by. */
  readonly name: string;
  /** URL of the primary, with its login and database; its host is a placeholder. */
  readonly primary: string;
}

/** A unix socket, a `redis://` or `rediss://` URL, or sentinels. */
export type RedisTarget = { readonly path: string } | { readonly url: string } | SentinelTarget;

const SENTINEL_PORT = "26379";
/** Name of the primary, as Redis allows it, and database. */
const SENTINEL_PATH = /^\/([\w.-]+)(\/\d+)?$/;
const SENTINEL_OPTIONS = /^sentinel_(?:username|password)$/;

/**
 * Reads `unix:///path`, `redis://…`, `rediss://…`, or the form that clients for Python and Java
 * have for sentinels: `redis+sentinel://[user:password@]host[:26379],…/name[/database]`, with
 * `?sentinel_username=…&sentinel_password=…` for their own login, and `rediss+sentinel://…` for
 * TLS. Null for other texts.
 */
export function redisTargetIn(text: string): RedisTarget | null {
  if (/^unix:\/\/\/./.test(text)) return { path: text.slice("unix://".length) };
  if (/^rediss?\+sentinel:/.test(text)) return sentinelsIn(text);
  const url = URL.parse(text);
  return url?.host && /^rediss?:$/.test(url.protocol) ? { url: text } : null;
}

function sentinelsIn(text: string): SentinelTarget | null {
  const urls = urlPerHost(text);
  const [first] = urls;
  const [, name, database = ""] = SENTINEL_PATH.exec(first?.pathname ?? "") ?? [];
  if (first === undefined || name === undefined) return null;
  const { protocol, username, password, searchParams } = first;
  if (![...searchParams.keys()].every((key) => SENTINEL_OPTIONS.test(key))) return null;
  const scheme = `${protocol.replace("+sentinel:", "")}://`;
  const secret = searchParams.get("sentinel_password");
  const user = encodeURIComponent(searchParams.get("sentinel_username") ?? "");
  const login = secret === null ? "" : `${user}:${encodeURIComponent(secret)}@`;
  return {
    sentinels: urls.map(({ hostname, port }) => {
      return `${scheme}${login}${hostname}:${port || SENTINEL_PORT}`;
    }),
    name,
    primary: `${scheme}${password && `${username}:${password}@`}primary${database}`,
  };
}

/** The address for messages: without user and password. */
export function redisAddress(target: RedisTarget): string {
  if ("path" in target) return target.path;
  const hostOf = (text: string) => {
    const { hostname, port } = new URL(text);
    return `${hostname}:${port || 6379}`;
  };
  if ("url" in target) return hostOf(target.url);
  return `${target.sentinels.map(hostOf).join(",")}/${target.name}`;
}
