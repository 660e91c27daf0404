/** A notice takes the next number of its tenant and mode and changes nothing else. */
import { expect, test } from "bun:test";
import { commandMeta, createProperty, propertyTree } from "../../test/support/builders.ts";
import { given } from "../../test/support/given.ts";
import type { RecordNotice } from "./commands.ts";

const notice: RecordNotice["notice"] = {
  type: "delegation_issuer.status_changed",
  data: {
    issuer_id: "iss_1",
    iss: "https://a.example",
    status: "suspended",
    previous_status: "active",
  },
};

test("a notice becomes an event with the next number", () => {
  const world = given(createProperty(propertyTree()));
  const told = world.when({ ...commandMeta(), type: "RecordNotice", notice });
  told.recorded(notice.type);
  expect(told.data).toEqual({ seq: 2 });
});
