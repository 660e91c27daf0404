/** The installations that are searched: a tenant of 20 properties, and the large one. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { journalPath, readConfig } from "../src/config.ts";
import type { DemoFile } from "../src/ops/demo/demo-file.ts";
import type { Bench } from "./bench.ts";
import { outputOf } from "./child.ts";
import { copyDataDir } from "./fixture.ts";
import { Installation } from "./installation.ts";
import { FILL_STEPS, type SearchFill } from "./search-tasks.ts";
import { CITY_SIZE } from "./search-tenant.ts";
import { inSteps } from "./steps.ts";

export const PREPARING = "search, preparing";
/** The seeding, the small tenant, and the large one. */
export const PREPARING_STEPS = 2 + FILL_STEPS;

const FILL = join(import.meta.dir, "search-fill.ts");

/** The tenant that is searched is the demo's second one, which has next to nothing of its own. */
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
    const few = `a tenant of ${CITY_SIZE}`;
    await progress.step(PREPARING, few, () => fixture.#fill("small", CITY_SIZE, () => {}));
    const about = { stage: PREPARING, what: `a tenant of ${properties}`, steps: FILL_STEPS };
    await inSteps(progress, about, (onStep) => fixture.#fill("large", properties, onStep));
    return fixture;
  }

  /** The journal of the large tenant, with a snapshot beside it. */
  get journal(): string {
    return journalPath(join(this.#directory, "large"));
  }

  /** Runs `work` on both tenants at once, then ends them; what is done there stays. */
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

  async #fill(name: "small" | "large", properties: number, onStep: () => void): Promise<void> {
    const task: SearchFill = {
      directory: dirname(journalPath(this.#copy(name))),
      lanes: readConfig(process.env).lanes,
      tenant_id: this.demo.second_tenant.tenant_id,
      properties,
      hasGrand: name === "small",
    };
    await outputOf(FILL, task, (line) => {
      if (line !== "") onStep();
    });
  }
}
