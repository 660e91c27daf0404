/** A row that was to be revoked, suspended, paused or deleted; the id of an access token: `jti`. */
export interface Denial {
  readonly kind: "agent" | "credential" | "issuer" | "webhook_endpoint" | "access_token";
  readonly id: string;
}
