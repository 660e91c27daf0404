/**
 * An engine in a process of its own, for `zombie.test.ts`: places one hold per line it reads and
 * prints the row when it is acknowledged, or `fenced` and exits with 76.
 */
import { openHotel, placeHold } from "./commands.ts";
import { Random } from "./random.ts";
import { World } from "./world.ts";

const [path, seed] = process.argv.slice(2);
const world = new World(path!);
const random = new Random(Number(seed));
world.tick();
world.ask(...openHotel(random, 50));
console.log("ready");
for await (const _line of console) {
  const replies = world.ask(placeHold(random, world.time.wallMs()));
  if (world.fatals.length > 0) {
    console.log(`fenced ${String(world.fatals[0])} ${replies.length}`);
    process.exit(76);
  }
  console.log(`row ${world.journal.head.row}`);
}
