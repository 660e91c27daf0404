/** The installations that are searched: a tenant of 20 properties, and the large one. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { journalPath, readConfig } from "../src/config.ts";
import type { DemoFile } from "../src/ops/demo/demo-file.ts";
import type { Bench } from "./bench.ts";
import { outputOfTask } from "./child.ts";
import { copyDataDir } from "./fixture.ts";
import { Installation } from "./installation.ts";
import type { SearchFill } from "./search-fill.ts";
import { CITY_SIZE } from "./search-tenant.ts";

export const PREPARING = "search, preparing";
export const PREPARING_STEPS = 3;
const FILL = join(import.meta.dir, "search-fill.ts");

/** The searched tenant is the demo's second one, which has almost no supply of its own. */
export class SearchFixture {
  readonly #directory: string;
  readonly demo: DemoFile;

  private constructor(directory: string, demo: DemoFile) {
    this.#directory = directory;
    this.demo = demo;
  }

  /** Puts both tenants on sale; nothing runs afterwards. Throws when a command is refused. */
  static async make({ directory: parent, properties, progress }: Bench): Promise<SearchFixture> {
    const directory = join(parent, "search");
    const fixture = await progress.step(PREPARING, "the service and its demo", async () => {
      const seeded = await Installation.start(join(directory, "template"));
      await seeded.stop();
      return new SearchFixture(directory, seeded.demo);
    });
    for (const [name, count] of [
      ["small", CITY_SIZE],
      ["large", properties],
    ] as const) {
      const what = `a tenant of ${count}`;
      await progress.step(PREPARING, what, () => fixture.#fill(name, count));
    }
    return fixture;
  }

  /** The journal of the large tenant, with a snapshot beside it. */
  get journal(): string {
    return journalPath(join(this.#directory, "large"));
  }

  /** Runs `work` on both tenants at once, then ends them; their changes stay. */
  async withBoth<T>(work: (small: Installation, large: Installation) => Promise<T>): Promise<T> {
    const started: Installation[] = [];
    const start = async (name: "small" | "large") => {
      const copy = await Installation.start(join(this.#directory, name));
      started.push(copy);
      return copy;
    };
    try {
      return await work(await start("small"), await start("large"));
    } finally {
      for (const each of started) await each.stop();
    }
  }

  /** Runs `work` on an installation that has the demo alone, then ends and removes it. */
  async withEmpty<T>(work: (copy: Installation) => Promise<T>): Promise<T> {
    const dataDir = this.#copy("empty");
    const copy = await Installation.start(dataDir);
    try {
      return await work(copy);
    } finally {
      await copy.stop();
      rmSync(dataDir, { recursive: true });
    }
  }

  #copy(name: string): string {
    const dataDir = join(this.#directory, name);
    mkdirSync(dataDir);
    copyDataDir(join(this.#directory, "template"), dataDir);
    return dataDir;
  }

  async #fill(name: "small" | "large", properties: number): Promise<void> {
    const task: SearchFill = {
      ...{ directory: dirname(journalPath(this.#copy(name))), properties },
      lanes: readConfig(process.env).lanes,
      tenant_id: this.demo.second_tenant.tenant_id,
      hasGrand: name === "small",
    };
    await outputOfTask(FILL, task);
  }
}
