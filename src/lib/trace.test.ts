import { expect, test } from "bun:test";
import { newTrace, randomHex, traceOf } from "./trace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

test.each([
  `00-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-ff`,
  `01-${TRACE}-${PARENT}-00`,
  `cc-${TRACE}-${PARENT}-01-what-the-future-will-be-like`,
])("%s continues its trace", (header) => {
  expect(traceOf(header)).toEqual({ traceId: TRACE, parentId: PARENT });
});

test.each([
  null,
  "",
  `ff-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}-01.`,
  `cc-${TRACE}-${PARENT}-01.what-the-future-will-be-like`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${"0".repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${TRACE}x-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01-a, 00-${TRACE}-${PARENT}-01`,
])("%p starts a new trace", (header) => {
  const { traceId, parentId } = traceOf(header);
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(traceId).not.toBe(TRACE);
  expect(parentId).toBeNull();
});

test("random hex has the requested length and never repeats, even when the pool refills", () => {
  const traces = new Set(Array.from({ length: 2000 }, newTrace));
  expect(traces.size).toBe(2000);
  expect(randomHex(7)).toMatch(/^[0-9a-f]{14}$/);
  expect(randomHex(4096)).toHaveLength(8192);
});
