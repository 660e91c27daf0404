import { expect, test } from "bun:test";
import { otherRoomsFor } from "./hotels.ts";

test("a party is offered the other rooms that have a bed for each of it", () => {
  const rooms = [1, 2, 3, 4].map((beds) => ({ id: `for ${beds}`, max_occupancy: beds }));
  const offered = (room_type_id: string, adults: number, children: number[] = []) =>
    otherRoomsFor({ room_type_id, guests: { adults, children } }, rooms).map(({ id }) => id);
  expect(offered("for 2", 2)).toEqual(["for 3", "for 4"]);
  expect(offered("for 4", 2, [7])).toEqual(["for 3"]);
  expect(offered("for 4", 4)).toEqual([]);
});
