/** Pages of events as consumers read them, and what they must come to. */
import { join } from "node:path";
import type { PublicEvent } from "../../engine/core/public-events.ts";
import { publicEvents } from "../../engine/core/public-events.ts";
import { Replica } from "../../engine/log/replica.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Page, Pull } from "./event-consumer.ts";
import type { Service } from "./service.ts";

/** Pulls as an agent; `query` beyond where and how many. */
export function pullOf(service: Service, agent: DemoAgent, query = ""): Pull {
  return async (afterSeq, limit) => {
    const path = `/v1/admin/events?after_seq=${afterSeq}&limit=${limit}&${query}`;
    return (await service.api("GET", path, { agent })).ok<Page>().data;
  };
}

/** All events of the demo tenant, told from the rows of the journal as they lie on the disk. */
export function eventsInJournal({ dataDir, demo }: Service): PublicEvent[] {
  const replica = new Replica(join(dataDir, "engine", "0.db"));
  try {
    while (!replica.catchUp(1_000));
    let prev_seq = 0;
    return replica
      .rowsFrom(1, replica.head.row)
      .filter(({ row }) => row.tenant_id === demo.tenant_id && row.mode === "live")
      .flatMap(({ row, chain }) => publicEvents(row, chain, replica.eventLookups))
      .map(({ event: { id, type, timestamp, api_version, tenant_id, mode, seq, ...told } }) => {
        const { subject, data } = told;
        const head = { id, type, timestamp, api_version, tenant_id, mode, seq, prev_seq };
        prev_seq = seq;
        return { ...head, subject, data };
      });
  } finally {
    replica.close();
  }
}

/** Long polls and streams that are open, all api processes together. */
export async function openCallsOf(service: Service): Promise<number> {
  const found = /^innkeep_open_calls(?:\{[^}]*\})? (\d+)/m.exec(await service.metrics());
  return Number(found?.[1] ?? 0);
}
