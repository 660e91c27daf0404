/** A file of deliveries that cannot be gone on with refuses the start, by its name. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDeliveriesFile } from "../ops/roles/deliveries-file.ts";
import { StartRefused } from "./lifecycle.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-deliveries-file-"));
  path = join(directory, "deliveries.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("it is made when it is missing, and opened again", () => {
  openDeliveriesFile(path, "normal").close();
  const db = openDeliveriesFile(path, "full");
  expect(db.query("SELECT count(*) AS n FROM delivery").get()).toEqual({ n: 0 });
  db.close();
});

test("another format is refused by name", () => {
  const db = openDeliveriesFile(path, "normal");
  db.run("PRAGMA user_version = 99");
  db.close();
  const open = () => openDeliveriesFile(path, "full");
  expect(open).toThrow(StartRefused);
  expect(open).toThrow(`${path} has format 99, this version reads format 1: start the version`);
});

test("damage is refused by name", () => {
  writeFileSync(path, Buffer.alloc(8_192, 0x61));
  const open = () => openDeliveriesFile(path, "normal");
  expect(open).toThrow(StartRefused);
  expect(open).toThrow(`${path} is damaged`);
});
