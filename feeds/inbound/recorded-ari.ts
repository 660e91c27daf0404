/** An update that is gathered from the items of a message, with the item of each range. */
import type { RestrictionFields } from "../../engine/core/rules.ts";
import type {
  DateRange,
  InventoryRange,
  NamedAri,
  RateRange,
  RestrictionRange,
  UnitsLeftRange,
} from "../../engine/core/supply.ts";
import { ERROR_CODES, ERROR_TYPES, faultOf, type OtaFault } from "./faults.ts";

/** The room type, rate plan and nights of an item, by the names that it has. */
export interface Target {
  readonly range: DateRange;
  readonly room: string | null;
  readonly plan: string | null;
}

type Ranges = {
  readonly inventory: InventoryRange[];
  readonly rates: (RateRange & { readonly room_type_id?: string })[];
  readonly restrictions: RestrictionRange[];
  readonly units_left: UnitsLeftRange[];
};

export class RecordedAri {
  readonly faults: OtaFault[] = [];
  readonly warnings: OtaFault[] = [];
  readonly #ranges: Ranges = { inventory: [], rates: [], restrictions: [], units_left: [] };
  readonly #records = new Map<string, number>();

  /** Lists without ranges are left out. */
  get ari(): NamedAri {
    const lists = Object.entries(this.#ranges).filter(([, ranges]) => ranges.length > 0);
    return Object.fromEntries(lists);
  }

  /** Units of a room type, whatever is sold. */
  capacity(record: number, { range, room }: Target, capacity: number): void {
    this.#add("inventory", record, { ...range, room_type_id: room!, capacity });
  }

  /** Units that are left of a room type, or of a rate plan. */
  left(record: number, { range, room, plan }: Target, left: number): void {
    this.#add("units_left", record, {
      ...range,
      room_type_id: room!,
      ...(plan !== null && { rate_plan_id: plan }),
      left,
    });
  }

  restrict(record: number, { range, room, plan }: Target, fields: RestrictionFields): void {
    this.#add("restrictions", record, {
      ...range,
      room_type_id: room!,
      ...(plan !== null && { rate_plan_id: plan }),
      ...fields,
    });
  }

  rate(
    record: number,
    { range, room, plan }: Target,
    amounts: Pick<RateRange, "amount" | "extra_adult">,
  ): void {
    this.#add("rates", record, {
      ...range,
      rate_plan_id: plan!,
      ...(room !== null && { room_type_id: room }),
      ...amounts,
    });
  }

  #add<L extends keyof Ranges>(list: L, record: number, range: Ranges[L][number]): void {
    const ranges: Ranges[L][number][] = this.#ranges[list];
    this.#records.set(`${list}/${ranges.length}`, record);
    ranges.push(range);
  }

  /** The fault of an error of the update, such as at `/rates/3/rate_plan_id`. */
  faultAt(error: {
    readonly path: string;
    readonly message: string;
    readonly expected: string;
  }): OtaFault {
    const [, list, index, member = ""] = error.path.split("/");
    const record = this.#records.get(`${list}/${index}`) ?? null;
    const { name, code } = MEMBERS[member] ?? { name: "the message", code: ERROR_CODES.unable };
    const text = `${name} ${error.message}; expected ${error.expected}`;
    return { type: ERROR_TYPES.business, code, record, text };
  }

  fault(kind: Parameters<typeof faultOf>[0], record: number | null, text: string): void {
    this.faults.push(faultOf(kind, record, text));
  }

  warn(record: number, text: string): void {
    this.warnings.push(faultOf("unable", record, text));
  }
}

/** What a message calls a member of an update. */
const MEMBERS: Readonly<Record<string, { readonly name: string; readonly code: string }>> = {
  from: { name: "Start", code: ERROR_CODES.date },
  to: { name: "End", code: ERROR_CODES.date },
  room_type_id: { name: "InvTypeCode", code: ERROR_CODES.roomType },
  rate_plan_id: { name: "RatePlanCode", code: ERROR_CODES.ratePlan },
  amount: { name: "BaseByGuestAmt", code: ERROR_CODES.ratePlan },
};
