/** Goal: third-party files are served unchanged, and their source can be verified. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { asset } from "./assets.ts";

/** Of `dist/browser/standalone.js` in `npm pack @scalar/api-reference@1.72.1`. */
const SCALAR_SHA256 = "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c";

test("the renderer of the API reference is the published file, byte for byte", async () => {
  const { bytes, isGzip } = await asset("scalar.js");
  expect(isGzip).toBeTrue();
  const published = Bun.gunzipSync(bytes);
  expect(createHash("sha256").update(published).digest("hex")).toBe(SCALAR_SHA256);
  // The policy of the page does not let it be asked for either.
  expect(new TextDecoder().decode(published)).not.toMatch(/\beval\(|new Function\(/);
});
