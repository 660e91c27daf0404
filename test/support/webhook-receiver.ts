/**
 * A receiver of webhooks built on the unmodified public library, and endpoints that are put into
 * the control store as an operator's process would.
 */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { PublicEvent } from "../../engine/core/public-events.ts";
import {
  addEndpoint,
  changeEndpoint,
  type EndpointTerms,
} from "../../src/access/control/webhook-endpoints.ts";
import { keyVersionsOf } from "../../src/access/privacy/keychain.ts";
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { journalPath } from "../../src/config.ts";
import type { Service } from "./service.ts";

/** A delivery that has come and was verified. */
export interface Received {
  readonly id: string;
  readonly event: PublicEvent;
  readonly headers: Readonly<Record<string, string>>;
}

type Answering = (received: Received, count: number) => Response | Promise<Response>;

export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Why deliveries were not believed. */
  readonly faults: string[] = [];
  /** What is answered to the delivery that came as number `count`, from 1. */
  answer: Answering = () => new Response(null, { status: 204 });
  /** Of the endpoint; set before anything is sent. */
  secret = "";
  readonly #server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 0 },
    fetch: (request) => this.#meet(request),
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/events`;
  }

  /** Ids of what has come and was answered with 2xx or not, in their order, repeated ones too. */
  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  get seqs(): number[] {
    return this.received.map(({ event }) => event.seq);
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #meet(request: Request): Promise<Response> {
    const body = await request.text();
    const headers = request.headers.toJSON();
    try {
      const event = new Webhook(this.secret).verify(body, headers) as PublicEvent;
      const received = { id: headers["webhook-id"]!, event, headers };
      this.received.push(received);
      return await this.answer(received, this.received.length);
    } catch (error) {
      this.faults.push(String(error));
      return new Response(null, { status: 401 });
    }
  }
}

/** An active endpoint of the demo tenant; it gets everything from now on unless told. */
export function addEndpointTo(
  service: Service,
  url: string,
  terms: Partial<EndpointTerms & { readonly after_row: number }> = {},
): { readonly endpoint_id: string; readonly secret: string } {
  const masters = keyVersionsOf(loadSecrets(service.dataDir, {}), "encryption");
  const realm = { tenant_id: service.demo.tenant_id, mode: "live" } as const;
  const usual: EndpointTerms = {
    ...{ url, description: null, kinds: null, property_ids: null, subjects: null, scopes: [] },
    ...{ max_in_flight: 10, max_per_s: null, ordering: "none" },
    ...{ format: "json", ota: null },
  };
  return service.control((store) => {
    const given = { ...usual, headers: {}, after_row: lastRow(service), ...terms };
    const added = addEndpoint(store, masters, realm, given, Date.now());
    const isActive = { state: "active", reason: null } as const;
    expect(changeEndpoint(store, added.endpoint_id, isActive)).toBeTrue();
    return added;
  });
}

function lastRow({ dataDir }: Service): number {
  using journal = new Database(journalPath(dataDir), { readonly: true, strict: true });
  const select = "SELECT max(row) AS row FROM journal";
  return journal.query<{ row: number | null }, []>(select).get()?.row ?? 0;
}
