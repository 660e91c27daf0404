/**
 * Sets the time limit of all tests and hooks. Bun takes `setDefaultTimeout` for one file only, so
 * it is called when each test file is loaded; without it the limit is 5 s.
 */
import { setDefaultTimeout } from "bun:test";
import { TEST_LIMIT_MS } from "./stages.ts";

Bun.plugin({
  name: "time limit of tests",
  setup(build) {
    build.onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => {
      setDefaultTimeout(TEST_LIMIT_MS);
      return { contents: await Bun.file(path).text(), loader: "ts" };
    });
  },
});
