/** Goal: a misspelt variable is recognised, and a variable of another program never is. */
import { expect, test } from "bun:test";
import { suggestSimilar } from "./suggest-similar.ts";

const KNOWN = ["PORT", "HOST", "DATA_DIR", "LANES", "HOLD_TTL_S", "BASE_URL", "REDIS_URL", "DEMO"];

test.each([
  ["PROT", "PORT"],
  ["HSOT", "HOST"],
  ["DATADIR", "DATA_DIR"],
  ["data_dir", "DATA_DIR"],
  ["HOLD_TTL", "HOLD_TTL_S"],
  ["HOLD_TTL_MS", "HOLD_TTL_S"],
  ["HOLD_TTL_SECONDS", "HOLD_TTL_S"],
  ["HOLDTTL_S", "HOLD_TTL_S"],
  ["BASE_ULR", "BASE_URL"],
  ["BASE_UR", "BASE_URL"],
  ["BASSE_URL", "BASE_URL"],
  ["REDIX_URL", "REDIS_URL"],
])("%s suggests %s", (given, meant) => expect(suggestSimilar(given, KNOWN)).toBe(meant));

test.each([
  ...["LINES", "LANG", "HOME", "PATH", "PWD", "HOSTNAME", "HOSTS", "PORTS", "DATABASE_URL"],
  ...["REDIS_PORT", "REDIS_HOST", "BASE", "TERM", "DEMOS", "POST", "S", "", "_"],
])("%s suggests nothing", (given) => expect(suggestSimilar(given, KNOWN)).toBeNull());
