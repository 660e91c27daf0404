/** How long a replaced secret works beside the new one. */
import { Choice, type Option } from "./choice.tsx";
import type { Form } from "./form.ts";

const NAME = "overlap_s";
const A_DAY = "86400";
const OVERLAPS: readonly Option[] = [
  ["3600", "an hour"],
  [A_DAY, "a day"],
  ["604800", "a week"],
  ["0", "not at all: it was disclosed"],
];

/** Asks for it; a day unless chosen. */
export function OverlapField({ label }: { readonly label: string }) {
  return <Choice label={label} name={NAME} options={OVERLAPS} chosen={A_DAY} />;
}

/** What was chosen, seconds. */
export function overlapOf(sent: Form): number {
  return Number(sent.get(NAME) ?? A_DAY);
}
