/** The doctor's check of `control.db`. */
import { existsSync } from "node:fs";
import { CONTROL_REMEDY, scrubbingControl } from "../../access/control/control-scrubber.ts";
import { openControlReader } from "../../access/control/schema.ts";
import { type Config, controlPath } from "../../config.ts";
import { type Finding, judged } from "./finding.ts";

/** Checks every row of `control.db`, and the file with SQLite's integrity check. */
export function controlFile({ dataDir }: Config): Finding[] {
  const path = controlPath(dataDir);
  if (!existsSync(path)) return [judged("control.db", "none yet")];
  using db = openControlReader(path);
  const { rows, file } = ended(scrubbingControl(db));
  if (file !== null) {
    return [{ check: "control.db", status: "fail", found: file, remedy: "restore a back-up" }];
  }
  const found = rows.map(({ table, id, problem }) => `${table} ${id}: ${problem}`).join("; ");
  return [judged("control.db", found || "sound", [rows.length > 0, "fail", CONTROL_REMEDY])];
}

function ended<R>(steps: Generator<unknown, R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
