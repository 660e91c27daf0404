/**
 * Receivers of webhooks in the test's own process: each listens on an address of its own, believes
 * what the public library verifies, keeps what has arrived, and answers as it is told to.
 */
import { Webhook } from "standardwebhooks";
import { type Certificate, selfSigned } from "./certificate.ts";

/**
 * What becomes of a delivery. `dead`: nobody listens. `flapping`: every other one fails, none of
 * them more than twice. `silent`: taken, and never answered. `dripping`: the body of the answer
 * comes at a byte a second and has no end. `redirecting`: to where clouds keep their secrets.
 * `untrusted`: the server has a certificate that nobody vouches for.
 */
export type Behaviour =
  | "ok"
  | "slow"
  | "failing"
  | "flapping"
  | "silent"
  | "dripping"
  | "huge"
  | "gone"
  | "redirecting"
  | "dead"
  | "untrusted";

/** A delivery that arrived and was verified. */
export interface Arrival {
  readonly id: string;
  readonly type: string;
  /** Null for pings. */
  readonly seq: number | null;
  readonly prev_seq: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** `performance.now()`. */
  readonly atMs: number;
  /** What it was answered; null when it was not. */
  readonly status: number | null;
}

type Event = Pick<Arrival, "id" | "type" | "seq" | "prev_seq" | "data">;

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SLOW_MS = 100;
const DRIP_MS = 1_000;
const HUGE_CHUNKS = 160;
const CHUNK = Buffer.alloc(65_536, "x");
const METADATA = "http://169.254.169.254/latest/meta-data/iam/security-credentials/";
const FLAPS_MAX = 2;

/** An address of loopback that other tests hardly have, so that nobody takes a dead one's port. */
function loopbackAddress(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return `127.${a}.${b}.${Math.max(1, Math.min(254, c!))}`;
}

export class Receiver {
  readonly name: string;
  /** In the order of coming. */
  readonly arrivals: Arrival[] = [];
  /** What it has answered with success: the ids of the events by their numbers, pings left out. */
  readonly taken = new Map<number, string>();
  /** Why something that came was not believed. */
  readonly faults: string[] = [];
  readonly #host: string;
  readonly #certificate: Certificate | null;
  readonly #flaps = new Map<string, number>();
  #flips = 0;
  #server: Bun.Server<undefined> | null = null;
  #port = 0;
  #behaviour: Behaviour = "ok";
  #library: Webhook | null = null;
  #unverified: Received[] = [];

  private constructor(name: string, certificate: Certificate | null) {
    this.name = name;
    this.#certificate = certificate;
    // A certificate is of a name, and of loopback there is one that needs no name server.
    this.#host = certificate === null ? loopbackAddress() : "localhost";
  }

  /** With a certificate, of `localhost`, it speaks TLS. */
  static start(name: string, certificate: Certificate | null = null): Receiver {
    const receiver = new Receiver(name, certificate);
    receiver.#listen(certificate);
    return receiver;
  }

  get url(): string {
    const scheme = this.#certificate === null ? "http" : "https";
    return `${scheme}://${this.#host}:${this.#port}/${this.name}`;
  }

  /** The ids that have arrived, pings left out, each as often as it came. */
  get ids(): string[] {
    return this.arrivals.filter(({ seq }) => seq !== null).map(({ id }) => id);
  }

  /** Believes what this secret signs, and from now on nothing else. */
  trust(secret: string): void {
    this.#library = new Webhook(secret);
    for (const received of this.#unverified.splice(0)) this.#verified(received);
  }

  async behave(behaviour: Behaviour): Promise<void> {
    const needsOtherServer = (of: Behaviour) => of === "dead" || of === "untrusted";
    const isOther = needsOtherServer(behaviour) || needsOtherServer(this.#behaviour);
    this.#behaviour = behaviour;
    if (!isOther) return;
    await this.stop();
    if (behaviour === "dead") return;
    this.#listen(behaviour === "untrusted" ? selfSigned(this.#host) : this.#certificate);
  }

  async stop(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = null;
  }

  #listen(tls: Certificate | null): void {
    const hostname = tls === null ? this.#host : "127.0.0.1";
    this.#server = Bun.serve({
      ...{ hostname, port: this.#port, idleTimeout: 0 },
      ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
      fetch: async (request) => {
        const headers = request.headers.toJSON() as Received["headers"];
        return this.#meet({ headers, body: await request.text() });
      },
    });
    this.#port = this.#server.port!;
  }

  #meet(received: Received): Response | Promise<Response> {
    const { id } = JSON.parse(received.body) as Event;
    const status = this.#statusFor(id);
    if (this.#library === null) this.#unverified.push(received);
    else if (!this.#verified(received, status)) return new Response(null, { status: 401 });
    if (status === null) return new Promise<never>(() => {});
    return this.#answer(status);
  }

  /** Keeps what is genuine; true when it is. */
  #verified({ headers, body }: Received, status: number | null = 204): boolean {
    try {
      const event = this.#library!.verify(body, { ...headers }) as Event;
      const { id, type, seq, prev_seq, data } = event;
      if (id !== headers["webhook-id"]) this.faults.push(`${id} came as ${headers["webhook-id"]}`);
      this.arrivals.push({ id, type, seq, prev_seq, data, status, atMs: performance.now() });
      if (seq !== null && status !== null && status < 300) this.#take(seq, id);
      return true;
    } catch (error) {
      this.faults.push(`${headers["webhook-id"]}: ${error}`);
      return false;
    }
  }

  #take(seq: number, id: string): void {
    const known = this.taken.get(seq) ?? id;
    if (known !== id) this.faults.push(`event ${seq} came as ${known} and as ${id}`);
    this.taken.set(seq, id);
  }

  #statusFor(id: string): number | null {
    switch (this.#behaviour) {
      case "silent":
        return null;
      case "failing":
        return 500;
      case "gone":
        return 410;
      case "redirecting":
        return 302;
      case "flapping":
        return this.#flap(id) ? 503 : 204;
      case "dripping":
      case "huge":
        return 200;
      default:
        return 204;
    }
  }

  #flap(id: string): boolean {
    const flaps = this.#flaps.get(id) ?? 0;
    this.#flips += 1;
    if (this.#flips % 2 === 0 || flaps === FLAPS_MAX) return false;
    this.#flaps.set(id, flaps + 1);
    return true;
  }

  async #answer(status: number): Promise<Response> {
    if (this.#behaviour === "slow") await Bun.sleep(SLOW_MS);
    if (this.#behaviour === "dripping") return new Response(dripping(), { status });
    if (this.#behaviour === "huge") return new Response(huge(), { status });
    const headers = status === 302 ? { location: METADATA } : {};
    return new Response(null, { status, headers });
  }
}

/** Ten megabytes, made as they are taken. */
async function* huge(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < HUGE_CHUNKS; i += 1) yield CHUNK;
}

/** One byte a second, until nobody listens. */
async function* dripping(): AsyncGenerator<string> {
  for (;;) {
    yield ".";
    await Bun.sleep(DRIP_MS);
  }
}
