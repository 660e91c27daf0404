/** The simulation as a process of its own: exit code 1 and the reason when a seed fails. */
import { simulate } from "./run.ts";

const [seeds = "12", commands = "400"] = process.argv.slice(2);
try {
  await simulate({ firstSeed: 1, seeds: Number(seeds), commands: Number(commands) });
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
  process.exit(1);
}
