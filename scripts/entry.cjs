/**
 * The program that npm runs. It checks the version of Node first, in syntax that Node 10 can parse:
 * an old Node would otherwise stop at a syntax error.
 */
/** The version of `package.json`'s `engines`. */
const NEEDED = parseInt(require("../package.json").engines.node.replace(/\D*/, ""), 10);
/** The start is refused, and a restart does not help (sysexits.h EX_CONFIG). */
const EXIT_CONFIG = 78;

const found = process.versions.node;
if (parseInt(found, 10) < NEEDED) {
  const remedy = "install it from https://nodejs.org, or run `nvm install --lts`";
  const problem = `Node ${found} is too old, Innkeep needs Node ${NEEDED} or later`;
  process.stderr.write(`innkeep: ${problem}: ${remedy}\n`);
  process.exitCode = EXIT_CONFIG;
} else {
  import("./run.mjs");
}
