/** `PropertyDataSet`: rooms and rates that prices refer to by id. One per line. */
import type { MealPlan, PropertyTree, RatePlan, RoomType } from "../engine/core/supply.ts";
import type { RefundEnds } from "./refund.ts";
import { escapedAttribute, escapedText } from "./xml.ts";

/** Partners refuse larger numbers of persons. */
export const PERSONS_MAX = 20;
const PHOTOS_MAX = 10;
/** A conservative URL syntax that all XML readers accept. */
const PLAIN_URL = /^https:\/\/(?:[\w.~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/;

const WITH_BREAKFAST: ReadonlySet<MealPlan> = new Set([
  ...(["breakfast", "half_board", "full_board", "all_inclusive"] as const),
]);

function localised(name: string, text: string | null, language: string): string {
  const value = escapedAttribute(text ?? "");
  if (value === "") return "";
  return `<${name}><Text text="${value}" language="${language}"/></${name}>`;
}

function photos({ images }: RoomType): string {
  const plain = images.filter((url) => PLAIN_URL.test(url)).slice(0, PHOTOS_MAX);
  return plain.map((url) => `<PhotoURL><URL>${escapedText(url)}</URL></PhotoURL>`).join("");
}

function roomData(room: RoomType, language: string): string {
  return (
    `<RoomData><RoomID>${escapedText(room.id)}</RoomID>` +
    (localised("Name", room.name, language) || localised("Name", room.code, language)) +
    localised("Description", room.description, language) +
    `${photos(room)}<Capacity>${Math.min(PERSONS_MAX, room.max_occupancy)}</Capacity></RoomData>`
  );
}

function packageData(tree: PropertyTree, plan: RatePlan, of: PropertyDataOf): string {
  const end = of.refundEnds(tree, plan);
  const refundable =
    end === null
      ? 'available="0"'
      : `available="1" refundable_until_days="${end.daysBefore}" ` +
        `refundable_until_time="${end.time}"`;
  return (
    `<PackageData><PackageID>${escapedText(plan.id)}</PackageID>` +
    (localised("Name", plan.name, of.language) || localised("Name", plan.code, of.language)) +
    `<ChargeCurrency>web</ChargeCurrency><Refundable ${refundable}/>` +
    `<BreakfastIncluded>${WITH_BREAKFAST.has(plan.meal_plan) ? 1 : 0}</BreakfastIncluded>` +
    "</PackageData>"
  );
}

export interface PropertyDataOf {
  readonly language: string;
  readonly refundEnds: RefundEnds;
}

/** Rooms, then rates, in tree order. */
export function propertyDataSet(tree: PropertyTree, of: PropertyDataOf): string {
  const rooms = tree.room_types.map((room) => roomData(room, of.language));
  const packages = tree.room_types.flatMap((room) =>
    room.rate_plans.map((plan) => packageData(tree, plan, of)),
  );
  return dataSet(tree.id, rooms.join("") + packages.join(""));
}

/** For a property with nothing on sale. */
export function bareDataSet(id: string): string {
  return dataSet(id, "");
}

function dataSet(id: string, data: string): string {
  return `<PropertyDataSet><Property>${escapedText(id)}</Property>${data}</PropertyDataSet>\n`;
}
