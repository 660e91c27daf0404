/**
 * Replaces a property's tree. The api makes the complete tree and names the version it was made
 * from; the engine accepts it while that version is current.
 */
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { action, permitted } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { DEADLINE_MS, execute, type Rendering } from "../../http/execute.ts";
import { untilFresh } from "../../http/freshness.ts";
import type { Reading } from "../../http/validate.ts";
import { KeyedMutex } from "../../lib/keyed-mutex.ts";
import { inHouse, openedActions } from "../oversold.ts";
import { propertyOf } from "../visible.ts";
import { charsOfTree } from "./edited-tree.ts";

/** The complete tree after an edit of the current one. */
type Edit = (before: PropertyTree) => Reading<PropertyTree>;

interface Asked {
  /** The version in `If-Match`; null for any version. */
  readonly expected_version: number | null;
  readonly dry_run: boolean;
}

const CHANGED: Rendering<"property_replaced"> = {
  kind: "property_replaced",
  answer({ may }, { data, hints, trace_id }) {
    // A dry run leaves nothing to fix.
    const mending = data.dry_run ? {} : hints;
    // First find the guests who must move.
    const property = action("get", "GET", `/v1/admin/properties/${data.property_id}`);
    const actions = [
      ...openedActions(data, may),
      ...permitted([...inHouse(data.property_id, data), property], may),
    ];
    return { data: { ...data, ...mending }, actions, trace_id };
  },
};

/** Changes of one property in this process run one after another. */
const turns = new KeyedMutex();

/**
 * The engine's answer to the tree that `edit` makes of the property. If the engine has a newer
 * version and the caller did not require one, the edit is repeated on that, for as long as a client
 * waits.
 */
export function change(call: Call<unknown, "id">, edit: Edit, asked: Asked) {
  const endMs = performance.now() + DEADLINE_MS;
  const property = propertyOf(call, call.params.id);
  const id = "code" in property ? call.params.id : property.tree.id;
  const { tenant_id, mode } = call.principal;
  return turns.take(`${tenant_id}:${mode}:${id}`, () => changeBy(endMs, call, edit, asked));
}

async function changeBy(
  endMs: number,
  call: Call<unknown, "id">,
  edit: Edit,
  asked: Asked,
): Promise<Success | Refusal> {
  for (;;) {
    await untilFresh(call.context.replica);
    const property = propertyOf(call, call.params.id);
    const known = "code" in property ? null : property;
    const edited = known && edit(known.tree);
    if (edited?.ok === false) return invalid(edited.errors);
    const command = {
      ...{ ...commandMeta(call), type: "ReplaceProperty" as const },
      property_id: call.params.id,
      tree: edited?.value ?? null,
      base_version: known?.version ?? 0,
      ...asked,
      payments_configured: missingForPayments(call.context.config) === null,
    };
    const bytes = edited === null ? 0 : charsOfTree(edited.value);
    const leftMs = endMs - performance.now();
    const options = { bytes, deadlineMs: Math.max(1, leftMs) };
    const answer = await execute(call, command, CHANGED, options);
    if (!isOvertaken(answer, asked) || performance.now() >= endMs) return answer;
  }
}

/** Whether the tree was made from an outdated version and may be made again. */
function isOvertaken(answer: Success | Refusal, { expected_version }: Asked): boolean {
  if (answer.ok || answer.isReplayed || answer.detail?.reason !== "version_mismatch") return false;
  return expected_version === null || answer.detail.version === expected_version;
}
