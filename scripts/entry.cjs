/**
 * What npm runs. It looks at the version of Node first, in words that Node 10 and later
 * can read: an old one would otherwise stop at the first modern sign, and say nothing about itself.
 */
/** The version of `package.json`'s `engines`. */
const NEEDED = parseInt(require("../package.json").engines.node.replace(/\D*/, ""), 10);
/** The start was refused for a reason that no restart cures (sysexits.h EX_CONFIG). */
const EXIT_CONFIG = 78;

const found = process.versions.node;
if (parseInt(found, 10) < NEEDED) {
  const remedy = "install one from https://nodejs.org, or run `nvm install --lts`";
  const problem = `this is Node ${found}, and Innkeep needs Node ${NEEDED} or later`;
  process.stderr.write(`innkeep: ${problem}: ${remedy}\n`);
  process.exitCode = EXIT_CONFIG;
} else {
  import("./run.mjs");
}
