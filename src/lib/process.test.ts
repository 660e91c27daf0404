import { expect, test } from "bun:test";
import { endProcess } from "./process.ts";

/** Listens, says where, and has memory that takes a while to free. */
const PROGRAM = `
  const { port } = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const kept = Array.from({ length: 20 }, (_, nth) => Buffer.alloc(20_000_000, nth));
  console.log(port);
  setInterval(() => kept.length, 60_000);`;

test("a process that was ended has released its port", async () => {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  await endProcess(child.pid);
  const listen = () => Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
  expect(() => listen().stop(true)).not.toThrow();
});
