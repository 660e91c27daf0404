/** People of an operator, as the API makes them, at the console. */
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Person } from "./console.ts";
import type { Service } from "./service.ts";

export const PEOPLE = "/v1/admin/people";

export interface PersonOut extends Readonly<Record<string, unknown>> {
  readonly person_id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly property_ids: readonly string[] | null;
  readonly version: number;
}

/** What a person at a front desk may do, and the events that show it. */
export const DESK_SCOPES = [
  ...["bookings:read", "bookings:cancel", "admin:bookings", "admin:refunds"],
  ...["admin:properties", "admin:ari", "admin:events", "admin:oversell-incidents"],
];

/** A new person of the operator, the live admin unless told. */
export async function newPerson(
  service: Service,
  terms: object = {},
  agent: DemoAgent = service.demo.admin,
): Promise<PersonOut> {
  const body = { name: "Eva", scopes: DESK_SCOPES, ...terms };
  return (await service.api("POST", PEOPLE, { agent, body })).ok<PersonOut>(201).data;
}

/** The code of a new link of the person. */
export async function codeOf(
  service: Service,
  { person_id }: Pick<PersonOut, "person_id">,
  agent: DemoAgent = service.demo.admin,
): Promise<string> {
  const made = await service.api("POST", `${PEOPLE}/${person_id}/links`, { agent });
  return new URL(made.ok<{ readonly url: string }>(201).data.url).hash.slice(1);
}

/** The person, signed in by a link in a browser without script. */
export async function entered(
  service: Service,
  person: Pick<PersonOut, "person_id">,
  agent: DemoAgent = service.demo.admin,
): Promise<Person> {
  const browser = new Person(service);
  const { status, location } = await browser.send("/console/enter", {
    code: await codeOf(service, person, agent),
  });
  if (location !== "/console") throw new Error(`not signed in: ${status}`);
  return browser;
}
