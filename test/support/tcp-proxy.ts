/**
 * A line between a client and a port that can be slow, cut or silent, in the test's own process.
 */
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./service.ts";

export type Direction = "to client" | "to server";
const BOTH: readonly Direction[] = ["to client", "to server"];

/** A proxy of one port, which any number of clients may connect to. */
export class TcpProxy {
  /** It stays the same when the line is cut and healed, so it is none that others are given. */
  readonly port = freePort();
  /** How much later bytes arrive, in each direction. */
  delayMs = 0;
  #target: number;
  readonly #held = new Set<Direction>();
  readonly #sockets = new Set<Socket>();
  readonly #deliveries = new Set<() => void>();
  #server = createServer((client) => this.#join(client));

  private constructor(target: number) {
    this.#target = target;
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    await proxy.#listen();
    return proxy;
  }

  /** Where new connections go; those that are open stay where they are. */
  retarget(port: number): void {
    this.#target = port;
  }

  /** Breaks all connections off and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Keeps back all bytes, and ends of connections, of a direction: nobody is told anything. */
  hold(...directions: readonly Direction[]): void {
    for (const each of directions.length > 0 ? directions : BOTH) this.#held.add(each);
  }

  /** Ends a cut or a hold; what was kept back arrives now. */
  async heal(): Promise<void> {
    this.#held.clear();
    for (const deliver of this.#deliveries) deliver();
    if (!this.#server.listening) await this.#listen();
  }

  /** Breaks all connections off, for good. */
  async stop(): Promise<void> {
    if (this.#server.listening) await this.cut();
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(this.port, "127.0.0.1", resolve);
    });
  }

  #join(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    this.#carry(client, server, "to server");
    this.#carry(server, client, "to client");
  }

  /** Without a limit to what is kept back: a test sends little. */
  #carry(from: Socket, to: Socket, direction: Direction): void {
    /** What is under way, in its order; null: the end. */
    const waiting: { readonly dueMs: number; readonly bytes: Buffer | null }[] = [];
    const deliver = () => {
      while (waiting.length > 0 && !this.#held.has(direction)) {
        const { dueMs, bytes } = waiting[0]!;
        const leftMs = dueMs - performance.now();
        if (leftMs > 0) return void setTimeout(deliver, leftMs);
        waiting.shift();
        if (bytes) to.write(bytes);
        else to.destroySoon();
      }
    };
    const take = (bytes: Buffer | null) => {
      waiting.push({ dueMs: performance.now() + this.delayMs, bytes });
      deliver();
    };
    this.#sockets.add(from);
    this.#deliveries.add(deliver);
    from.setNoDelay(true);
    from.on("data", take);
    from.on("error", () => {});
    from.on("close", () => {
      this.#sockets.delete(from);
      take(null);
    });
    to.on("close", () => this.#deliveries.delete(deliver));
  }
}
