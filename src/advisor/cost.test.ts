/**
 * Goal: a rule-based answer costs at most 5 ms of CPU, a full session of the longest questions at
 * most 500 ms. Method: questions of six languages about each of 66 demo hotels, with the session's
 * earlier questions; the median of the process's CPU time is printed.
 */
import { expect, test } from "bun:test";
import { dateOf } from "../../engine/core/calendar.ts";
import { NOON } from "../../test/support/builders.ts";
import { dayIn } from "../../test/support/given.ts";
import { onSale } from "../../test/support/small-hotel.ts";
import { generateProperties } from "../ops/demo/generator.ts";
import { advise } from "./advise.ts";

const HOTELS = 66;
const CPU_MS_MAX = 5;
/** Characters that a message may have. */
const LONGEST = 2_000;
const [IN, OUT] = [dateOf(dayIn(10)), dateOf(dayIn(12))];

const QUESTIONS = [
  "When can we check in, and is there a pool?",
  `Is there a room for two from ${IN} to ${OUT}, and what does it cost in all?`,
  "Was kostet ein Doppelzimmer nächstes Wochenende für zwei, mit Frühstück?",
  "¿Se admiten perros y hay aparcamiento?",
  "Quelles sont les conditions d'annulation ?",
  "Una camera dal 3 al 5 ottobre per due adulti e un bambino di 6 anni?",
  "Que tipos de quartos têm?",
] as const;

test("the median answer about a demo hotel costs at most 5 ms of CPU", () => {
  const window = { startDate: dateOf(dayIn(0)), nights: 30 };
  const hotels = [...generateProperties({ count: HOTELS, seed: 7, ...window })];
  const earlier = QUESTIONS.slice(0, 3).map((text) => ({ text, atMs: NOON }));
  const spent: number[] = [];
  for (const { property: tree } of hotels) {
    const hotel = { property: onSale(tree), agentId: "agent-1", nowMs: NOON };
    for (const text of QUESTIONS) {
      const before = process.cpuUsage();
      advise(hotel, { text, earlier, locale: null });
      const { user, system } = process.cpuUsage(before);
      spent.push((user + system) / 1_000);
    }
  }
  spent.sort((a, b) => a - b);
  const median = spent[Math.floor(spent.length / 2)]!;
  const p99 = spent[Math.floor(spent.length * 0.99)]!;
  console.log(`advisor: median ${median.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms of CPU`);
  expect(median).toBeLessThanOrEqual(CPU_MS_MAX);
});

test("a full session of long, hard questions costs at most 500 ms of CPU", () => {
  const window = { startDate: dateOf(dayIn(0)), nights: 30 };
  const [hotel] = generateProperties({ count: 1, seed: 7, ...window });
  const property = onSale(hotel!.property);
  const awkward = [
    `1 and 1 jan${" ".repeat(LONGEST - 12)}x`,
    `jan 1${" ".repeat(LONGEST - 6)}x`,
    "1 and 1 jan ".repeat(LONGEST / 12),
    "is it?".repeat(LONGEST / 6),
  ];
  for (const text of awkward) {
    const earlier = Array.from({ length: 99 }, () => ({ text, atMs: NOON }));
    const before = process.cpuUsage();
    advise({ property, agentId: "agent-1", nowMs: NOON }, { text, earlier, locale: "en" });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThanOrEqual(500);
  }
});
