/**
 * One more api process's worth of a running service, in the test's own process: the api role as it
 * is, over the same `DATA_DIR` and Redis, on a port of its own. Its replica can be kept from
 * following the journal, as it would be in a process that gets no time to apply what is new.
 */
import { type Mock, spyOn } from "bun:test";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { Replica } from "../../engine/log/replica.ts";
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { readConfig } from "../../src/config.ts";
import { endWithin, type Role } from "../../src/lib/service.ts";
import type { DemoFile } from "../../src/ops/demo/demo-file.ts";
import { open } from "../../src/ops/roles/api.ts";
import type { Answer } from "./answer.ts";
import { type Front, freePort, type Options, type Service, send, until } from "./service.ts";

const STOP_LIMIT_MS = 10_000;

export class SecondApi implements Front {
  readonly #service: Service;
  readonly #port: number;
  readonly #role: Role;
  readonly #replica: Replica;
  #lag: Mock<Replica["catchUp"]> | null = null;

  private constructor(service: Service, port: number, role: Role, replica: Replica) {
    this.#service = service;
    this.#port = port;
    this.#role = role;
    this.#replica = replica;
  }

  /** Joins a service that runs; `env`: settings that differ from the usual. */
  static async start(
    service: Service,
    env: Readonly<Record<string, string>> = {},
  ): Promise<SecondApi> {
    const port = freePort();
    const { dataDir, baseUrl } = service;
    const config = readConfig({
      ...{ DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "error" },
      // Both are one service under one public address.
      BASE_URL: baseUrl.replace("127.0.0.1", "localhost"),
      ...env,
    });
    const reading = spyOn(Replica.prototype, "catchUp");
    const role = await open(config, loadSecrets(dataDir, {}));
    await role.start();
    // The only replica of the test's process is the one of this api.
    await until("it reads the journal", () => reading.mock.contexts.length > 0);
    const replica = reading.mock.contexts[0] as Replica;
    reading.mockRestore();
    return new SecondApi(service, port, role, replica);
  }

  get demo(): DemoFile {
    return this.#service.demo;
  }

  api(method: string, path: string, options: Options = {}): Promise<Answer> {
    const at = `http://127.0.0.1:${this.#port}`;
    return send(at, method, path, { agent: this.demo.agent, ...options });
  }

  mintDelegation(...options: Parameters<Front["mintDelegation"]>): Promise<string> {
    return this.#service.mintDelegation(...options);
  }

  /** It sees a property as a journal of before has it, such as nobody could write now. */
  asOfBefore(id: string, change: (tree: PropertyTree) => PropertyTree): void {
    const { tenant_id } = this.demo;
    const property = this.#replica.state.property({ tenant_id, mode: "live" }, id)!;
    property.tree = change(property.tree);
  }

  /** From now on it sees nothing that is written. */
  startLag(): void {
    this.#lag ??= spyOn(Replica.prototype, "catchUp").mockReturnValue(false);
  }

  /** Lets it see again what there is. */
  endLag(): void {
    this.#lag?.mockRestore();
    this.#lag = null;
  }

  async stop(): Promise<void> {
    this.endLag();
    await endWithin(this.#role, STOP_LIMIT_MS);
  }
}
