/**
 * A Python that can run a client of OpenAPI Generator 7.0.0. The generator writes for what Python
 * had in 2023: pydantic 1, which pydantic 2 has inside, and a package of enumerations that is
 * needed no more since a class may be named in its own body.
 */
import { join } from "node:path";

export interface Python {
  readonly path: string;
  readonly pydanticMajor: number;
}

const NEEDED = "import dateutil, urllib3, pydantic; print(pydantic.VERSION)";

const AENUM = "from aenum import Enum, no_arg";

/** The first that has what a generated client imports; null when there is none. */
export function findPython(): Python | null {
  for (const path of ["python3", "/usr/bin/python3"]) {
    if (Bun.which(path) === null) continue;
    const { success, stdout } = Bun.spawnSync([path, "-c", NEEDED], { stderr: "ignore" });
    if (success) return { path, pydanticMajor: Number.parseInt(stdout.toString(), 10) };
  }
  return null;
}

/** Has a generated package import what is installed. */
export async function forInstalled({ pydanticMajor }: Python, folder: string): Promise<void> {
  for await (const name of new Bun.Glob("**/*.py").scan(folder)) {
    const file = join(folder, name);
    const text = await Bun.file(file).text();
    const pydantic = pydanticMajor === 1 ? "pydantic" : "pydantic.v1";
    let mended = text.replaceAll("from pydantic import", `from ${pydantic} import`);
    if (text.includes(AENUM)) {
      mended = mended
        .replace(AENUM, "from enum import Enum")
        .replace(/^import json$/m, "from __future__ import annotations\n$&");
    }
    if (mended !== text) await Bun.write(file, mended);
  }
}
