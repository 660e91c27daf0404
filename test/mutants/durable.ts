/** Bugs that only a loss of power shows: what is answered or named before it is on the disk. */
import type { ByKiller } from "./mutant.ts";

export const BEFORE_THE_DISK: ByKiller = {
  "src/ops/roles/copy-care.test.ts": [
    {
      name: "a machine that leads goes on to write snapshots",
      in: "src/ops/roles/copy-care.ts CopyCare.start",
      drop: "this.#isStopped",
      test: "after a stop it begins no more: the machine leads, or the worker writes them",
    },
  ],
  "test/power/sync.test.ts": [
    {
      name: "commits of the journal are not synced at all",
      in: "engine/log/schema.ts openForWriting",
      instead: ["const { count } =", 'db.run("PRAGMA synchronous = OFF"); const { count } ='],
      test: "UpdateAri is in the synced log before its reply leaves",
    },
    {
      name: "commits of the journal are synced at the next checkpoint",
      in: "engine/log/schema.ts openForWriting",
      instead: ["const { count } =", 'db.run("PRAGMA synchronous = NORMAL"); const { count } ='],
      test: "UpdateAri is in the synced log before its reply leaves",
    },
    {
      name: "a reply leaves before the commit",
      in: "engine/writer/engine.ts Engine.runGroup",
      instead: [
        "this.#fillGroup();",
        "this.#fillGroup(); for (const { send, reply } of this.#group.answers.splice(0)) send(reply);",
      ],
      test: "UpdateAri is in the synced log before its reply leaves",
    },
    {
      name: "commits of the control store are not synced",
      in: "src/access/control/schema.ts openControlDatabase",
      instead: ['"full"', '"normal"'],
      test: "a change of the control store is in its synced log when it returns",
    },
    {
      name: "a snapshot gets its name before it is on the disk",
      in: "engine/log/snapshot.ts writeSnapshot",
      drop: "fsyncPath(temporary)",
      test: "snapshot: the file is synced before it gets its name",
    },
    {
      name: "a snapshot's name is not on the disk",
      in: "engine/log/snapshot.ts writeSnapshot",
      drop: "fsyncPath(folder)",
      test: "snapshot: the file is synced before it gets its name",
    },
    {
      name: "a run of keys gets its name before it is on the disk",
      in: "engine/log/keys/key-run-writer.ts KeyRunWriter.finish",
      drop: "this.#file.sync",
      test: "keys: the file is synced before it gets its name",
    },
    {
      name: "a segment gets its name before it is on the disk",
      in: "engine/log/archive/segment.ts SegmentWriter.finish",
      drop: "fsyncSync",
      test: "segment: the file is synced before it gets its name",
    },
    {
      name: "rows leave the database before their segment is on the disk",
      in: "engine/log/archive/archiving.ts removeRows",
      drop: "fsyncPath(file.path)",
      test: "rows leave the database only when their segment and its name are synced",
    },
    {
      name: "the secrets get their name before they are on the disk",
      in: "src/access/privacy/secrets.ts createSecrets",
      drop: "flush",
      test: "secrets: the file is synced before it gets its name",
    },
    {
      name: "the secrets' name is not on the disk",
      in: "src/access/privacy/secrets.ts createSecrets",
      drop: "syncDirectory",
      test: "secrets: the file is synced before it gets its name",
    },
    {
      name: "rotated keys get their name before they are on the disk",
      in: "src/access/privacy/secrets.ts rotateKeys",
      drop: "fsyncSync",
      test: "rotation: the file is synced before it gets its name",
    },
    {
      name: "an installation's id gets its name before it is on the disk",
      in: "src/lib/installation.ts writeInstallation",
      drop: "fsyncSync(fd)",
      test: "installation: the file is synced before it gets its name",
    },
    {
      name: "the name of an installation's id is not on the disk",
      in: "src/lib/installation.ts writeInstallation",
      drop: "fsyncDirectory",
      test: "installation: the file is synced before it gets its name",
    },
    {
      name: "a back-up gets its name before its files are on the disk",
      in: "src/ops/backups/backup.ts copyFiles",
      drop: "fsyncPath(join(to, path))",
      test: "backup: everything in it is synced before it gets its name",
    },
    {
      name: "a back-up gets its name before its folder is on the disk",
      in: "src/ops/backups/backup.ts backUp",
      drop: "fsyncPath(temporary)",
      test: "backup: everything in it is synced before it gets its name",
    },
    {
      name: "a back-up's name is not on the disk",
      in: "src/ops/backups/backup.ts backUp",
      drop: "fsyncPath(dirname(goal))",
      test: "backup: everything in it is synced before it gets its name",
    },
    {
      name: "a back-up's list of files is not on the disk",
      in: "src/ops/backups/manifest.ts writeManifest",
      drop: "flush",
      test: "backup: everything in it is synced before it gets its name",
    },
    {
      name: "a restored directory gets its name before its files are on the disk",
      in: "src/ops/backups/restore.ts restore",
      drop: "fsyncPath(join(temporary, path))",
      test: "restore: everything in it is synced before it gets its name",
    },
    {
      name: "a restored directory's name is not on the disk",
      in: "src/ops/backups/restore.ts putInPlace",
      drop: "fsyncPath(dirname(dataDir))",
      test: "restore: everything in it is synced before it gets its name",
    },
    {
      name: "the note of a restoration is not on the disk",
      in: "src/ops/backups/restoration.ts writeRestoration",
      drop: "flush",
      test: "restore: everything in it is synced before it gets its name",
    },
  ],
};
