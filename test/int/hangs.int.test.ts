/**
 * Goal: a process that hangs is replaced, and no other is. Method: one process tree; its parts are
 * stopped while clients continue.
 */
import { expect, test } from "bun:test";
import { createHotel, newQuote, sendHold, stayRequest } from "../support/client.ts";
import { isRunning, until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ API_PROCESSES: "2" });
const hotel = await createHotel(service);

/** Asks for a hold until there is one; what a request met by a hanging process came to is lost. */
async function writesAgain(): Promise<void> {
  await until("a hold is placed", async () => {
    try {
      const quote = await newQuote(service, stayRequest(hotel));
      return (await sendHold(service, quote.quote_id)).status === 201;
    } catch {
      return false;
    }
  });
}

for (const id of ["engine", "worker", "api-1", "redis"]) {
  test(`${id}, hanging, is replaced, and writes go on`, async () => {
    const before = service.pids;
    process.kill(before[id]!, "SIGSTOP");
    const startMs = performance.now();
    await until("another runs", () => service.pids[id] !== before[id]);
    expect(performance.now() - startMs).toBeGreaterThan(2_000);
    expect(isRunning(before[id]!)).toBe(false);
    await writesAgain();
    const line = service.log.split("\n").find((text) => text.includes(`${id} does not respond`));
    expect(JSON.parse(line ?? "null")).toMatchObject({ id, silent_pid: before[id]! });
    for (const other of Object.keys(before)) {
      if (other !== id) expect(service.pids[other]).toBe(before[other]!);
    }
  });
}

test("metrics count each replacement with its reason", async () => {
  const counted = (role: string) =>
    new RegExp(
      `^innkeep_process_replacements_total\\{role="${role}",reason="silent",.*\\} 1$`,
      "m",
    );
  for (const role of ["engine", "worker", "api", "redis"]) {
    await until(`the ${role} is counted`, async () => counted(role).test(await service.metrics()));
  }
});

test("a supervisor that was itself stopped for 8 s replaces no process", async () => {
  const before = service.pids;
  process.kill(before.supervisor!, "SIGSTOP");
  await Bun.sleep(8_000);
  process.kill(before.supervisor!, "SIGCONT");
  // As long as it would take to find that somebody had been silent.
  await Bun.sleep(2_000);
  expect(service.pids).toEqual(before);
  await writesAgain();
});
