/** Health, readiness and metrics (spec 4.2). */
import { Type } from "@sinclair/typebox";
import { Health, Readiness } from "../../api/health/answers.ts";
import type { OperationTable } from "../../http/contract.ts";

export const systemOperations: OperationTable = {
  "GET /healthz": {
    id: "get_health",
    tag: "Discovery",
    summary: "Is the process alive",
    description: "Always `ok` when it answers at all; what it depends on is told by `/readyz`.",
    success: { status: 200, description: "It is.", data: Health },
    errors: [],
  },
  "GET /readyz": {
    id: "get_readiness",
    tag: "Discovery",
    summary: "Can the service do its work",
    description: "The worst of its dependencies; `down` is answered as 503 with the same fields.",
    success: { status: 200, description: "It can, perhaps degraded.", data: Readiness },
    errors: ["upstream_unavailable"],
  },
  "GET /metrics": {
    id: "get_metrics",
    tag: "Discovery",
    summary: "Metrics of all processes",
    description: "Prometheus text exposition format 0.0.4.",
    success: {
      status: 200,
      description: "The metrics.",
      body: Type.String(),
      contentType: "text/plain",
    },
    errors: [],
  },
};
