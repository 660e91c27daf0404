/** Pages of events as consumers read them. */
import type { Service } from "./service.ts";

/** Long polls and streams that are open, all api processes together. */
export async function openCallsOf(service: Service): Promise<number> {
  const found = /^innkeep_open_calls(?:\{[^}]*\})? (\d+)/m.exec(await service.metrics());
  return Number(found?.[1] ?? 0);
}
