/**
 * A small client: the flow typed, retries that do nothing twice, next actions, delegation tokens,
 * webhooks. It needs `fetch` and WebCrypto alone: Node from 20 on, Bun, browsers.
 */
export type { OperationData, OperationId, OperationInput } from "./call.ts";
export { Innkeep } from "./client.ts";
export {
  type DelegationOptions,
  mintDelegation,
  type PrivateJwk,
  type PrivateKey,
} from "./delegation.ts";
export { InnkeepError, NoAnswerError } from "./errors.ts";
export type {
  CallOptions,
  DelegatedOptions,
  InnkeepOptions,
  OffersRequest,
  OperationArguments,
  OperationOptions,
  Source,
  WriteOptions,
} from "./options.ts";
export type { Answer } from "./send.ts";
export type * from "./types.ts";
export { verifyWebhook, WebhookError, type WebhookOptions, type WebhookSource } from "./webhook.ts";
