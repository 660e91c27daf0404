/**
 * Sends another tree in the place of a property's. The edge makes the whole tree and says which
 * version it was made from; the engine takes it while that is the present one.
 */
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { action, permitted } from "../../actions/next-action.ts";
import { KeyedMutex } from "../../base/keyed-mutex.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { DEADLINE_MS, execute, type Rendering } from "../../http/execute.ts";
import { untilFresh } from "../../http/freshness.ts";
import type { Reading } from "../../http/validate.ts";
import { inHouse } from "../oversold.ts";
import { propertyOf } from "../visible.ts";

/** The whole tree that an edit makes of the one there is. */
type Edit = (before: PropertyTree) => Reading<PropertyTree>;

interface Asked {
  /** The version that the caller has seen; null when any will do. */
  readonly expected_version: number | null;
  readonly dry_run: boolean;
}

const CHANGED: Rendering<"property_replaced"> = {
  kind: "property_replaced",
  answer({ may }, { data, hints, trace_id }) {
    // A dry run leaves nothing to be mended.
    const mending = data.dry_run ? {} : hints;
    // Who must move is looked for first.
    const property = action("get", "GET", `/v1/admin/properties/${data.property_id}`);
    const actions = permitted([...inHouse(data.property_id, data), property], may);
    return { data: { ...data, ...mending }, actions, trace_id };
  },
};

/** Changes of one property that this process is asked for overtake nobody but those of others. */
const turns = new KeyedMutex();

/**
 * What the engine says to the tree that `edit` makes of the property as it is known here. Where it
 * knows a newer version, and the caller has not asked for this very one, the tree is made again of
 * that, for as long as a client waits: each time it is overtaken another change was done.
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
    const bytes = JSON.stringify(command.tree).length;
    const leftMs = endMs - performance.now();
    const options = { bytes, deadlineMs: Math.max(1, leftMs) };
    const answer = await execute(call, command, CHANGED, options);
    if (!isOvertaken(answer, asked) || performance.now() >= endMs) return answer;
  }
}

/** Whether the tree was made from another version than the present one, which the caller takes. */
function isOvertaken(answer: Success | Refusal, { expected_version }: Asked): boolean {
  if (answer.ok || answer.isReplayed || answer.detail?.reason !== "version_mismatch") return false;
  return expected_version === null || answer.detail.version === expected_version;
}
