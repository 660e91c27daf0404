/** Twenty receivers of one tenant, most of them in trouble, and what is known of them. */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deliveriesPath } from "../../src/config.ts";
import { selfSigned } from "../support/certificate.ts";
import { newEndpoint } from "../support/endpoints.ts";
import { type Behaviour, Receiver } from "../support/receivers.ts";
import type { Service } from "../support/service.ts";

/** How many behave how. */
const FLEET: Readonly<Partial<Record<Behaviour, number>>> = {
  ok: 8,
  slow: 1,
  dripping: 1,
  huge: 1,
  flapping: 2,
  dead: 2,
  failing: 1,
  untrusted: 1,
  redirecting: 1,
  gone: 1,
  silent: 1,
};
/** To these everything comes before long. */
export const TAKING: readonly Behaviour[] = ["ok", "slow", "huge", "flapping"];
export const MAX_IN_FLIGHT = 50;

/** Trusted while its endpoint is made; then another server takes its place. */
const CERTIFICATE = selfSigned("localhost");

export interface Member {
  readonly behaviour: Behaviour;
  readonly receiver: Receiver;
  readonly endpointId: string;
}

/** Deliveries of an endpoint that have come to the same. */
export interface Outcome {
  readonly state: string;
  readonly reason: string | null;
  readonly count: number;
}

export class Fleet {
  readonly #directory = mkdtempSync(join(tmpdir(), "innkeep-fleet-"));
  readonly members: Member[] = [];
  #db: Database | null = null;

  /** What a service needs to trust the certificate that a member begins with. */
  get env(): Readonly<Record<string, string>> {
    const path = join(this.#directory, "ca.pem");
    writeFileSync(path, CERTIFICATE.cert);
    return { NODE_EXTRA_CA_CERTS: path };
  }

  /** All answer their pings, and then as they are told to. */
  async join(service: Service, kind: string): Promise<void> {
    for (const [name, count] of Object.entries(FLEET)) {
      for (let i = 0; i < count; i += 1) await this.#add(service, name as Behaviour, i, kind);
    }
    for (const { receiver, behaviour } of this.members) await receiver.behave(behaviour);
    this.#db = new Database(deliveriesPath(service.dataDir), { readonly: true });
  }

  of(...behaviours: readonly Behaviour[]): Member[] {
    return this.members.filter(({ behaviour }) => behaviours.includes(behaviour));
  }

  /** The durable rows of an endpoint's deliveries, counted. */
  outcomes({ endpointId }: Member): Outcome[] {
    const select = `SELECT state, reason, count(*) AS count FROM delivery
      WHERE endpoint_id = ? GROUP BY state, reason ORDER BY state, reason`;
    return this.#db!.query<Outcome, [string]>(select).all(endpointId);
  }

  /** How many of an endpoint's deliveries are in one of the states, at one moment. */
  count(member: Member, ...states: readonly string[]): number {
    const found = this.outcomes(member).filter(({ state }) => states.includes(state));
    return found.reduce((sum, { count }) => sum + count, 0);
  }

  /** How many are open, or in one of the states: deliveries go on while they are counted. */
  openCount(member: Member, ...states: readonly string[]): number {
    return this.count(member, "pending", "in_flight", "scheduled", ...states);
  }

  /** The numbers of an endpoint's events, in their order. */
  seqs({ endpointId }: Member): number[] {
    const select = "SELECT seq FROM delivery WHERE endpoint_id = ? ORDER BY seq";
    const found = this.#db!.query<{ seq: number }, [string]>(select).all(endpointId);
    return found.map(({ seq }) => seq);
  }

  /** Where anything was ever sent. */
  get addresses(): (string | null)[] {
    const select = "SELECT DISTINCT address FROM attempt";
    const found = this.#db!.query<{ address: string | null }, []>(select).all();
    return found.map(({ address }) => address);
  }

  async stop(): Promise<void> {
    this.#db?.close();
    for (const { receiver } of this.members) await receiver.stop();
    rmSync(this.#directory, { recursive: true });
  }

  async #add(service: Service, behaviour: Behaviour, n: number, kind: string): Promise<void> {
    const certificate = behaviour === "untrusted" ? CERTIFICATE : null;
    const receiver = Receiver.start(`${behaviour}-${n}`, certificate);
    const terms = { events: [kind], max_in_flight: MAX_IN_FLIGHT };
    const member = { behaviour, receiver, endpointId: "" };
    this.members.push(member);
    member.endpointId = await newEndpoint(service, receiver, terms);
  }
}
