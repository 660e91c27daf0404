/** The service about its own health (spec 4.2). */

import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import { Instant, named, words } from "../../http/schema/answer-parts.ts";

export const Health = named("Health", "The process answers.", {
  status: words(["ok"]),
  service: Type.String(),
  version: Type.String(),
  timestamp: Instant,
});

const DependencyState = vocabulary(
  "DependencyState",
  ["ok", "degraded", "down"],
  "`degraded`: it works with less.",
);

const Dependency = Type.Object({
  state: DependencyState,
  damage: Type.Optional(
    Type.String({
      description:
        "What is damaged, as the operator's log names it; beside `control_store` and `disk` also why " +
        "writes are refused, such as `disk_full`.",
      examples: ["segment_missing"],
    }),
  ),
  refused: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Beside `messages`: the kinds of messages on Redis of which one was refused in the last " +
        "ten minutes, because no process of this installation had written it.",
      examples: [["commands"]],
    }),
  ),
});

export const Readiness = named("Readiness", "The state of what the service needs.", {
  status: DependencyState,
  service: Type.String(),
  timestamp: Instant,
  dependencies: Type.Record(Type.String(), Dependency),
});
