/**
 * The installation that every run starts from. It is seeded once and copied: each run gets a fresh
 * copy, because a hold's answer lists the other holds on its quote, and a journal only grows.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FrozenQuote } from "../engine/core/price/quote.ts";
import { Journal } from "../engine/log/journal.ts";
import { journalIdOf } from "../engine/log/meta.ts";
import { Replica } from "../engine/log/replica.ts";
import { writeSnapshot } from "../engine/log/snapshot.ts";
import { commandId, scopeOf } from "../src/access/privacy/personal-data.ts";
import { loadSecrets } from "../src/access/privacy/secrets.ts";
import { journalPath, readConfig } from "../src/config.ts";
import { addKeys } from "./filler.ts";
import { ALONE, Installation, OWN_ROOT, type Surroundings } from "./installation.ts";
import { quotesFor, storeQuotes } from "./quotes.ts";
import { type Crowd, seedSupply } from "./tenant.ts";

/** Starts what an installation on a data directory uses beside it. */
type Surround = (dataDir: string) => Promise<Surroundings>;

interface Places {
  readonly directory: string;
  readonly template: string;
  /** Of the checkout that is run. */
  readonly root: string;
  readonly surround: Surround;
}

export class Fixture {
  readonly #directory: string;
  readonly #template: string;
  readonly #journalId: string;
  readonly #hmacKey: Uint8Array;
  readonly #tenantId: string;
  readonly #agentId: string;
  readonly #lanes: number;
  readonly #root: string;
  readonly #surround: Surround;
  /** None of another checkout, whose journal may have another format. */
  readonly quotes: Readonly<Record<Crowd, readonly FrozenQuote[]>>;

  private constructor({ directory, template, root, surround }: Places, seeded: Installation) {
    this.#directory = directory;
    this.#root = root;
    this.#surround = surround;
    this.#template = template;
    this.#tenantId = seeded.demo.tenant_id;
    this.#agentId = seeded.demo.agent.agent_id;
    this.#lanes = readConfig(process.env).lanes;
    this.#hmacKey = Buffer.from(loadSecrets(template, {}).hmac_key, "base64url");
    this.#journalId = journalIdOf(journalPath(template));
    const quotesOf = (crowd: Crowd) => quotesFor(template, seeded.demo, crowd);
    this.quotes = this.isOwn
      ? { spread: quotesOf("spread"), hot: quotesOf("hot") }
      : { spread: [], hot: [] };
  }

  /** Whether this checkout is run, which can read the journal afterwards. */
  get isOwn(): boolean {
    return this.#root === OWN_ROOT;
  }

  /**
   * Seeds the template under `directory`: the demo data and the supply of the benchmark, and what
   * `prepare` adds to it. `root` is the checkout that is seeded and run, this one unless another is
   * given; `surround` is called for the template and for each copy.
   */
  static async make(
    directory: string,
    prepare: (seeded: Installation) => Promise<void> = async () => {},
    root = OWN_ROOT,
    surround: Surround = async () => ALONE,
  ): Promise<Fixture> {
    const template = join(directory, "template");
    mkdirSync(template, { recursive: true, mode: 0o700 });
    const surroundings = await surround(template);
    try {
      const installation = await Installation.start(template, { root, surroundings });
      try {
        await seedSupply(installation.baseUrl, installation.demo);
        await prepare(installation);
      } finally {
        await installation.stop();
      }
      return new Fixture({ directory, template, root, surround }, installation);
    } finally {
      await surroundings.stop();
    }
  }

  /**
   * From here on every copy starts with `count` idempotency keys of long ago, behind a snapshot.
   */
  addKeys(count: number): void {
    const path = journalPath(this.#template);
    const journal = new Journal(path, { lanes: this.#lanes });
    journal.takeEpoch();
    addKeys(journal, this.#tenantId, count);
    journal.close();
    const replica = new Replica(path);
    writeSnapshot(path, replica.journalId, replica.head, replica.state);
    replica.close();
  }

  /**
   * Runs `work` on a fresh copy that holds the crowd's quotes, then ends and removes the copy.
   * `wrapper` is a command put before that which starts it.
   *
   * @throws what `work` throws; Error when the installation does not start.
   */
  async withCopy<T>(
    crowd: Crowd | null,
    work: (copy: Installation) => Promise<T>,
    wrapper: readonly string[] = [],
  ): Promise<T> {
    const dataDir = join(this.#directory, "copy");
    mkdirSync(dataDir);
    try {
      copyDataDir(this.#template, dataDir);
      const surroundings = await this.#surround(dataDir);
      try {
        const start = { wrapper, root: this.#root, surroundings };
        const copy = await Installation.start(dataDir, start);
        try {
          if (crowd !== null) await storeQuotes(dataDir, this.#journalId, this.quotes[crowd]);
          return await work(copy);
        } finally {
          await copy.stop();
        }
      } finally {
        await surroundings.stop();
      }
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  }

  /** The id under which the engine stores the demo agent's hold with a client's key. */
  holdCommandId(key: string): string {
    const call = { mode: "live", agent_id: this.#agentId, method: "POST", path: "/v1/holds" };
    return commandId(this.#hmacKey, this.#tenantId, scopeOf(call), key);
  }
}

/** Copies the data directory of an installation that was stopped. */
export function copyDataDir(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !isOfProcess(path) });
}

/** What belongs to a process that has ended: sockets cannot be copied, pids mean nothing. */
function isOfProcess(path: string): boolean {
  return /\.(sock|pid|log)$|\/pids$/.test(path);
}
