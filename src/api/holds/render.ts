/** Renders outcomes of hold commands. */
import { authorizedBy } from "../../actions/call-parts.ts";
import type { Rendering } from "../../http/execute.ts";
import { endedHoldActions, holdActions } from "./actions.ts";

/** The 201 of `POST /v1/holds`. */
export const PLACED: Rendering<"hold"> = {
  kind: "hold",
  answer({ may, sent }, { data, trace_id }) {
    const placed = { ...data, ...authorizedBy(sent), extensions: 0, isOwn: true };
    const actions = holdActions(placed, may);
    return { status: 201, data, actions, expires_at: data.expires_at, trace_id };
  },
};

/** The 200 of an extension. */
export const EXTENDED: Rendering<"hold_extended"> = {
  kind: "hold_extended",
  answer({ may, principal }, { data, trace_id }) {
    // Only operators reach the holds of others.
    const actions = holdActions({ ...data, isOwn: principal.kind !== "operator" }, may);
    return { data, actions, expires_at: data.expires_at, trace_id };
  },
};

/** The 200 of a release. */
export const RELEASED: Rendering<"hold_released"> = {
  kind: "hold_released",
  answer({ may }, { data, trace_id, hints }) {
    return { data, actions: endedHoldActions(hints.requote, may), trace_id };
  },
};
