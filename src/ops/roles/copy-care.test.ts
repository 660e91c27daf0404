import { afterEach, beforeEach, expect, test } from "bun:test";
import { loadSnapshot, snapshotFiles, stateHash } from "../../../engine/log/snapshot.ts";
import { createProperty, propertyTree } from "../../../test/support/builders.ts";
import { LoneEngine } from "../../../test/support/lone-engine.ts";
import { until } from "../../../test/support/service.ts";
import { CopyCare } from "./copy-care.ts";

const TEN_MINUTES_MS = 600_000;

let lone: LoneEngine;
let care: CopyCare;

beforeEach(() => {
  lone = new LoneEngine();
  lone.decide([createProperty(propertyTree())]);
  const { journal, journalPath, now, log } = lone;
  let nowMs = 0;
  const monotonicMs = () => (nowMs += TEN_MINUTES_MS);
  const options = { journalPath, journalId: journal.id, keptDays: 7, now, monotonicMs, log };
  care = new CopyCare({ journal, state: lone.engine.state }, options);
});
afterEach(() => {
  care.stop();
  lone.close();
});

const snapshots = () => snapshotFiles(lone.journalPath);

test("a machine that stands by writes snapshots of the state that it follows", async () => {
  care.start();
  await until("there is one", () => snapshots().length > 0);
  const options = { journalId: lone.journal.id, tracksExpiry: true };
  const loaded = loadSnapshot(snapshots()[0]!.path, options);
  expect(loaded?.head).toEqual(lone.journal.head);
  expect(stateHash(loaded!.state)).toBe(stateHash(lone.engine.state));
});

test("after a stop it begins no more: the machine leads, or the worker writes them", async () => {
  care.stop();
  care.start();
  await Bun.sleep(50);
  expect(snapshots()).toEqual([]);
});
