/** Bugs that only a loss of power shows: what is answered or named before it is on the disk. */
import type { Mutant } from "./mutant.ts";

const killer = "test/power/sync.test.ts";
const DECIDED = "UpdateAri is in the synced log before its reply leaves";
const CONTROL = "a change of the control store is in its synced log when it returns";
const PRAGMA_CHECK =
  'if (synchronous?.synchronous !== 2) throw new Error("sqlite did not accept synchronous = FULL");';
const LEFT = "rows leave the database only when their segment and its name are synced";
const named = (what: string) => `${what}: the file is synced before it gets its name`;
const whole = (what: string) => `${what}: everything in it is synced before it gets its name`;

export const BEFORE_THE_DISK: readonly Mutant[] = [
  {
    name: "commits of the journal are not synced at all",
    file: "engine/log/schema.ts",
    find: PRAGMA_CHECK,
    replace: 'db.run("PRAGMA synchronous = OFF");',
    killer,
    test: DECIDED,
  },
  {
    name: "commits of the journal are synced at the next checkpoint",
    file: "engine/log/schema.ts",
    find: PRAGMA_CHECK,
    replace: 'db.run("PRAGMA synchronous = NORMAL");',
    killer,
    test: DECIDED,
  },
  {
    name: "a reply leaves before the commit",
    file: "engine/writer/engine.ts",
    find: "    if (rows.length > 0 || records.hasFindings) {\n",
    replace:
      "    for (const { send, reply } of answers) send(reply);\n    if (rows.length > 0) {\n",
    killer,
    test: DECIDED,
  },
  {
    name: "commits of the control store are not synced",
    file: "src/access/control/schema.ts",
    find: 'synchronous: "full"',
    replace: 'synchronous: "normal"',
    killer,
    test: CONTROL,
  },
  {
    name: "a snapshot gets its name before it is on the disk",
    file: "engine/log/snapshot.ts",
    find: "  fsyncPath(temporary);\n",
    replace: "",
    killer,
    test: named("snapshot"),
  },
  {
    name: "a snapshot's name is not on the disk",
    file: "engine/log/snapshot.ts",
    find: "  fsyncPath(folder);\n",
    replace: "",
    killer,
    test: named("snapshot"),
  },
  {
    name: "a run of keys gets its name before it is on the disk",
    file: "engine/log/keys/key-run-writer.ts",
    find: "    await this.#file.sync();\n",
    replace: "",
    killer,
    test: named("keys"),
  },
  {
    name: "a segment gets its name before it is on the disk",
    file: "engine/log/archive/segment.ts",
    find: "    fsyncSync(this.#fd);\n",
    replace: "",
    killer,
    test: named("segment"),
  },
  {
    name: "rows leave the database before their segment is on the disk",
    file: "engine/log/archive/archiving.ts",
    find: "  fsyncPath(file.path);\n",
    replace: "",
    killer,
    test: LEFT,
  },
  {
    name: "the secrets get their name before they are on the disk",
    file: "src/access/privacy/secrets.ts",
    find: "{ mode: 0o600, flush: true }",
    replace: "{ mode: 0o600 }",
    killer,
    test: named("secrets"),
  },
  {
    name: "the secrets' name is not on the disk",
    file: "src/access/privacy/secrets.ts",
    find: "  syncDirectory(dirname(path));\n  return secrets;",
    replace: "  return secrets;",
    killer,
    test: named("secrets"),
  },
  {
    name: "rotated keys get their name before they are on the disk",
    file: "src/access/privacy/secrets.ts",
    find: "    fsyncSync(file);\n",
    replace: "",
    killer,
    test: named("rotation"),
  },
  {
    name: "an installation's id gets its name before it is on the disk",
    file: "src/lib/installation.ts",
    find: "    fsyncSync(fd);\n",
    replace: "",
    killer,
    test: named("installation"),
  },
  {
    name: "the name of an installation's id is not on the disk",
    file: "src/lib/installation.ts",
    find: "  fsyncSync(directory);\n",
    replace: "",
    killer,
    test: named("installation"),
  },
  {
    name: "a back-up gets its name before its files are on the disk",
    file: "src/ops/backups/backup.ts",
    find: "    fsyncPath(join(to, path));\n",
    replace: "",
    killer,
    test: whole("backup"),
  },
  {
    name: "a back-up gets its name before its folder is on the disk",
    file: "src/ops/backups/backup.ts",
    find: "    fsyncPath(temporary);\n",
    replace: "",
    killer,
    test: whole("backup"),
  },
  {
    name: "a back-up's name is not on the disk",
    file: "src/ops/backups/backup.ts",
    find: "    fsyncPath(dirname(goal));\n",
    replace: "",
    killer,
    test: whole("backup"),
  },
  {
    name: "a back-up's list of files is not on the disk",
    file: "src/ops/backups/manifest.ts",
    find: "{ mode: 0o600, flush: true }",
    replace: "{ mode: 0o600 }",
    killer,
    test: whole("backup"),
  },
  {
    name: "a restored directory gets its name before its files are on the disk",
    file: "src/ops/backups/restore.ts",
    find: "      fsyncPath(join(temporary, path));\n",
    replace: "",
    killer,
    test: whole("restore"),
  },
  {
    name: "a restored directory's name is not on the disk",
    file: "src/ops/backups/restore.ts",
    find: "    fsyncPath(dirname(dataDir));\n",
    replace: "",
    killer,
    test: whole("restore"),
  },
  {
    name: "the note of a restoration is not on the disk",
    file: "src/ops/backups/restoration.ts",
    find: "{ mode: 0o600, flush: true }",
    replace: "{ mode: 0o600 }",
    killer,
    test: whole("restore"),
  },
];
