import { expect, test } from "bun:test";
import { credentialDigest } from "../../../feeds/credentials.ts";
import { basicFault } from "./partner.ts";

const DIGEST = credentialDigest("google:sésame:1");
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

test("the right pair is accepted, and the scheme's case does not matter", () => {
  expect(basicFault(basic("google:sésame:1"), DIGEST)).toBeNull();
  expect(basicFault(basic("google:sésame:1").replace("Basic ", "bAsIc  "), DIGEST)).toBeNull();
});

test("other credentials are refused as missing, malformed or wrong", () => {
  expect(basicFault(null, DIGEST)).toBe("missing_credential");
  for (const header of ["", "Basic", "Basic ", "Bearer abc", "Basic a b", "Basic é"]) {
    expect(basicFault(header, DIGEST)).toBe("basic_scheme_required");
  }
  for (const pair of [
    "google:sésame:2",
    "google:",
    ":",
    "bing:sésame:1",
    "google:sésame:1 ",
    "x",
  ]) {
    expect({ pair, fault: basicFault(basic(pair), DIGEST) }).toMatchObject({
      fault: "unknown_credential",
    });
  }
});
