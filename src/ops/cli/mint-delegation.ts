/**
 * `npm run --silent mint-delegation` prints a delegation token signed with the key of `demo.json`,
 * so that a new user can book and cancel without an issuer.
 */
import { join } from "node:path";
import { anyText, count, text, withDefault } from "../../lib/command-line.ts";
import { readDemoFile } from "../demo/demo-file.ts";
import { mintDelegation } from "../demo/mint-delegation.ts";
import { command, type OperatorProgram } from "./command.ts";
import { CommandFailed } from "./failures.ts";

const TTL_S_MAX = 600;
const TTL_S = 300;
const SUB = "traveler-1";

export const mintDelegationProgram: OperatorProgram = {
  call: "npm run --silent mint-delegation --",
  commands: [
    command({
      name: "",
      summary:
        "Prints a delegation token for the X-Delegated-User header of bookings and cancellations.",
      options: {
        sub: withDefault(text("TEXT", `traveler (default ${SUB})`), SUB),
        "ttl-s": withDefault(
          count("SECONDS", `validity, 1 to ${TTL_S_MAX} (default ${TTL_S})`, { max: TTL_S_MAX }),
          TTL_S,
        ),
        "hold-id": text("ID", "valid for this hold only"),
        "max-amount": count("N", "valid up to this amount, in minor units"),
        demo: anyText(
          "PATH",
          "demo.json to use (default DATA_DIR/demo.json; DATA_DIR defaults to ./data)",
        ),
      },
      async run({ env, terminal }, given) {
        const file = given.demo ?? join(env.DATA_DIR || "data", "demo.json");
        const { delegation } = await readDemoFile(file).catch((cause) => {
          if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
          const remedy = "start the demo first (npm start), or set DATA_DIR";
          throw new CommandFailed(`${file} does not exist: ${remedy}`, { cause });
        });
        const { sub, "ttl-s": ttlS, "hold-id": holdId, "max-amount": maxAmount } = given;
        terminal.out(`${await mintDelegation(delegation, { sub, ttlS, holdId, maxAmount })}\n`);
        return 0;
      },
    }),
  ],
};
