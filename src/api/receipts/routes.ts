/** `POST /v1/receipts/verify` (spec 4.6): public, because a receipt proves itself. */
import { verifyReceipt } from "../../../engine/shell/receipts.ts";
import type { PublicCall, PublicRoute } from "../../http/call.ts";
import { good, invalid } from "../../http/respond.ts";
import { checkVerify, VerifyBody, type VerifyRequest } from "../bookings/schemas.ts";

function verify(call: PublicCall): Response {
  const errors = checkVerify(call.body);
  if (errors.length > 0) return invalid(call, errors);
  const receipt = call.body as VerifyRequest;
  const { valid, kid } = verifyReceipt(call.deps.keys.receipts, receipt);
  if (!valid) {
    const expected = "the signature of exactly this kind, subject, issued_at and issuer";
    return invalid(call, [{ path: "/signature", message: "does not verify", expected }]);
  }
  const { kind, subject, issued_at, issuer } = receipt;
  return good(call, { data: { valid: true, kind, subject, issued_at, issuer, kid } });
}

export const receiptRoutes: readonly PublicRoute[] = [
  {
    method: "POST",
    path: "/v1/receipts/verify",
    addressLimit: "verify",
    access: "public",
    reads: "json",
    body: VerifyBody,
    handle: verify,
  },
];
