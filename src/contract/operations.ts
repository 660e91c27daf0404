/** Every operation of the service by method and path, put together from its areas. */
import type { Route } from "../http/call.ts";
import type { Operation, OperationTable } from "../http/contract.ts";
import { accessOperations } from "./operations/access.ts";
import { adminSupplyOperations } from "./operations/admin-supply.ts";
import { bookingOperations } from "./operations/bookings.ts";
import { commerceOperations } from "./operations/commerce.ts";
import { discoveryOperations } from "./operations/discovery.ts";
import { documentOperations } from "./operations/documents.ts";
import { oauthOperations } from "./operations/oauth.ts";
import { protocolOperations } from "./operations/protocols.ts";
import { supplyOperations } from "./operations/supply.ts";
import { systemOperations } from "./operations/system.ts";

export const OPERATIONS: OperationTable = {
  ...discoveryOperations,
  ...systemOperations,
  ...documentOperations,
  ...oauthOperations,
  ...supplyOperations,
  ...commerceOperations,
  ...bookingOperations,
  ...protocolOperations,
  ...adminSupplyOperations,
  ...accessOperations,
};

/** What is said about a route; throws for one that nothing is said about. */
export function operationOf({ method, path }: Pick<Route, "method" | "path">): Operation {
  const operation = (OPERATIONS as Readonly<Record<string, Operation>>)[`${method} ${path}`];
  if (!operation) throw new Error(`no operation ${method} ${path}`);
  return operation;
}
