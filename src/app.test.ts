import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Declared, Reach, type Reached } from "../test/support/reach.ts";
import { ROUTES } from "./app.ts";

/** Where handlers and what they are made of live; what lies below freshens nothing by itself. */
const FOLDERS = ["api", "protocols", "publish"];

const REACHED = new Reach(FOLDERS.map((name) => `src/${name}`)).ofRoutes();

/** Routes that reach a reader and do not say so, and why. */
const SILENT: Readonly<Record<string, string>> = {
  get_index: "only the front page of a demo reads, and waits for what is new itself",
  revoke_agent: "its change is a state, and only properties are looked up",
};

/**
 * What is folded in memory, and therefore lags. Records and rows are read from the journal's file
 * and are always what is committed.
 */
function readsFold({ text }: Pick<Declared, "text">): boolean {
  return /\breplica\b/.test(text.replace(/\breplica\.(?:records|row)\b/g, ""));
}

/** Ids of the routes that reach the fold in this part of their work. */
function readersIn(part: keyof Reached): string[] {
  const ids = [...REACHED].filter(([, reached]) => [...reached[part]].some(readsFold));
  return ids.map(([id]) => id).sort();
}

test("the handler of every route for programs is found in the source", () => {
  expect([...REACHED.keys()].sort()).toEqual(ROUTES.published.map(({ id }) => id).sort());
});

test("the search for readers finds them through functions, modules and renderings", () => {
  expect(readersIn("handling")).toContainValues(["search", "quote", "get_readiness"]);
  expect(readersIn("rendering")).toContain("book");
  const lines = [
    "replica.state.holds",
    "const { state } = context.replica;",
    "({ replica }) => {}",
  ];
  for (const text of lines) expect(readsFold({ text })).toBeTrue();
  for (const text of ["context.replica.records.hold(id)", "replica.row(1)", "replicas"]) {
    expect(readsFold({ text })).toBeFalse();
  }
});

test("a route whose handler reads the replica declares it", () => {
  const silent = readersIn("handling").filter((id) => !ROUTES.byId(id).readsReplica);
  expect(silent).toEqual(Object.keys(SILENT));
});

test("exactly the routes whose outcome is rendered from the replica declare it", () => {
  const saying = ROUTES.all.filter(({ rendersReplica }) => rendersReplica);
  expect(saying.map(({ id }) => id).sort()).toEqual(readersIn("rendering"));
});

test("unauthenticated writes are limited by client address", () => {
  const writes = ROUTES.all.filter(({ access, method }) => access === "public" && method !== "GET");
  expect(writes.length).toBeGreaterThan(0);
  for (const { id, addressLimit } of writes) {
    expect({ id, limit: typeof addressLimit?.name }).toEqual({ id, limit: "string" });
  }
});

test("refusals of unknown paths are OAuth's below /oauth and the envelope elsewhere", () => {
  const of = (path: string) => ROUTES.rendererNear(path);
  for (const path of ["/oauth", "/oauth/", "/oauth/x", "/oauth/token/x"]) {
    expect(of(path)).toBe("oauth");
  }
  // A document is refused in the envelope as well.
  for (const [path, renderer] of [
    ...[["/", "page"] as const, ["/.well-known/x", "document"] as const],
    ...["/x", "/v1", "/v1/x", "/v1/holds/1/x", "/oauth2"].map((at) => [at, "envelope"] as const),
  ]) {
    expect({ path, renderer: of(path) }).toEqual({ path, renderer });
  }
});

test("an operator may call every route that another kind may call", () => {
  for (const { id, access } of ROUTES.all) {
    if (access !== "public")
      expect({ id, kinds: access.kinds }).toMatchObject({
        id,
        kinds: expect.arrayContaining(["operator"]),
      });
  }
});

/** Where things are looked up by id, and why there. Whatever a caller names passes the doors. */
const LOOK_UPS: Readonly<Record<string, string>> = {
  "src/api/agents/grants.ts": "whether a property that is granted exists",
  "src/api/past-main.ts": "the past of a property that was seen",
  "src/api/bookings/personal-fields.ts": "the booking that an outcome is rendered with",
  "src/api/bookings/views.ts": "payment and refunds of a booking that was seen",
  "src/api/desk/booking-views.ts": "names of a booking that was seen",
  "src/api/guest/proof.ts": "the booking of who has its code and reads its guest's mail",
  "src/api/guest/views.ts": "names of a booking that was seen",
  "src/api/holds/routes.ts": "the payment of a hold that was seen",
  "src/api/quotes/shown.ts": "the version of the property that a quote names",
  "src/api/visible.ts": "the doors",
  "src/publish/book/reserve.ts": "the hold of the seller's own session",
  "src/publish/book/routes.ts": "what everybody may book",
  "src/publish/discovery/coverage.ts": "what everybody may know",
};

test("only listed files look up objects that a caller names, and they check visibility", () => {
  const looking = FOLDERS.flatMap((folder) =>
    (readdirSync(join(import.meta.dir, folder), { recursive: true }) as string[])
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => `src/${folder}/${name}`)
      .filter((path) => {
        const text = readFileSync(join(import.meta.dir, "..", path), "utf8");
        return /\b(treeOf\(|records\s*\.\s*(?:(?:hold|booking|refund|payment|authorization|incident)s?|open\w*)\b|state\s*\.\s*(holds|payments|property(?:Named)?)\b|\.(properties\[|slugs\b|allProperties))/.test(
          text,
        );
      }),
  );
  expect(looking.sort()).toEqual(Object.keys(LOOK_UPS).sort());
});
