/** Answers of health and readiness. */
import { Type } from "@sinclair/typebox";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import { Instant, named, words } from "../../http/schema/answer-parts.ts";

export const Health = named("Health", "The process is alive.", {
  status: words(["ok"]),
  service: documented(Type.String(), "Name of the service."),
  version: documented(Type.String(), "Version of the service."),
  timestamp: Instant,
});

const DependencyState = vocabulary(
  "DependencyState",
  ["ok", "degraded", "down"],
  "`degraded`: it works with restrictions.",
);

const Dependency = Type.Object({
  state: DependencyState,
  damage: Type.Optional(
    Type.String({
      description:
        "The damage, as named in the operator's log; for `control_store` and `disk` also why " +
        "writes are refused, such as `disk_full`.",
      examples: ["segment_missing"],
    }),
  ),
  refused: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "For `messages`: the kinds of Redis messages of which one was rejected in the last ten " +
        "minutes, because no process of this installation wrote it.",
      examples: [["commands"]],
    }),
  ),
});

export const Readiness = named("Readiness", "State of the service's dependencies.", {
  status: DependencyState,
  service: documented(Type.String(), "Name of the service."),
  timestamp: Instant,
  dependencies: documented(Type.Record(Type.String(), Dependency), "Dependencies by name."),
});
