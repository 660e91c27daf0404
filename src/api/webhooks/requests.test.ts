/** Bodies of webhook endpoints; each fault is reported at its path. */
import { expect, test } from "bun:test";
import type { Format } from "../../../jobs/webhooks/endpoint.ts";
import { WRITTEN } from "../../../test/support/forbidden-hosts.ts";
import { compile } from "../../http/validate.ts";
import { EndpointPatchBody, endpointBody, endpointProblems } from "./requests.ts";

const checkPatch = compile(EndpointPatchBody);
const BODY = { url: "https://receiver.example/", events: ["*" as const] };

function checkBody(body: unknown) {
  const reading = endpointBody.read(body, 0);
  return reading.ok ? [] : reading.errors;
}

/** Paths of the faults of an otherwise sound body. */
function faultsOf(terms: object, allowPrivate = false): string[] {
  const body = { ...BODY, ...terms };
  const faults = checkBody(body);
  const { format = "json" } = terms as { readonly format?: Format };
  const all = faults.length > 0 ? faults : endpointProblems(body, format, allowPrivate);
  return all.map(({ path }) => path).sort();
}

test("url and events are required, and a change may omit both", () => {
  const paths = (faults: readonly { readonly path: string }[]) => faults.map(({ path }) => path);
  expect(paths(checkBody({})).sort()).toEqual(["/events", "/url"]);
  expect(paths(checkPatch({}))).toEqual([]);
  expect(paths(checkPatch({ secret: "whsec_x" }))).toEqual(["/secret"]);
});

test("a message format has its own members and refuses those of events", () => {
  const message = { format: "ota_inventory", events: undefined };
  expect(faultsOf({ ...message, ota: { requestor_id: "innkeep-1" }, subjects: null })).toEqual([]);
  expect(faultsOf({ ...message, ota: null, scopes: [], ordering: "per_subject" })).toEqual([]);
  const theirs = { events: ["hold.created"], subjects: ["hold:hld_1"], scopes: ["bookings:read"] };
  expect(faultsOf({ ...message, ...theirs, ordering: "none" })).toEqual([
    ...["/events", "/ordering", "/scopes", "/subjects"],
  ]);
  expect(faultsOf({ ...message, ota: { requestor_id: '"><' } })).toEqual(["/ota/requestor_id"]);
  expect(faultsOf({ format: "csv" })).toEqual(["/format"]);
  expect(faultsOf({ format: "json", ota: { requestor_id: "innkeep-1" } })).toEqual(["/ota"]);
  expect(checkPatch({ format: "json" }).map(({ path }) => path)).toEqual(["/format"]);
});

test("headers of Standard Webhooks, the message and the connection are reserved", () => {
  for (const name of [
    ...["Webhook-Id", "webhook-signature", "WEBHOOK-anything", "Host", "Content-Type"],
    ...["content-length", "Content-Encoding", "Connection", "Transfer-Encoding", "Keep-Alive"],
    ...["TE", "Trailer", "Upgrade", "Proxy-Authorization", "Proxy-Connection", "Expect"],
    ...["User-Agent", "X-Request-Id", "Accept-Encoding"],
  ]) {
    expect(faultsOf({ headers: { [name]: "x" } })).toEqual([`/headers/${name}`]);
  }
  expect(faultsOf({ headers: { Authorization: "Bearer abc", "X-Hotel": "a b, c" } })).toEqual([]);
});

test("a header has a valid name and value, occurs once and is limited in number", () => {
  for (const value of ["a\r\nX-B: b", "a\nb", "\0", "ä", " a", "a ", "", "x".repeat(1025)]) {
    expect({ value, faults: faultsOf({ headers: { "X-A": value } }) }).toEqual({
      value,
      faults: ["/headers/X-A"],
    });
  }
  for (const name of ["X A", "X:A", "", "é", "x".repeat(65)]) {
    expect(faultsOf({ headers: { [name]: "a" } })).toEqual([`/headers/${name}`]);
  }
  expect(faultsOf({ headers: { "X-A": "a", "x-a": "b" } })).toEqual(["/headers/x-a"]);
  const names = Array.from({ length: 21 }, (_, i) => [`X-${i}`, "a"]);
  expect(faultsOf({ headers: Object.fromEntries(names) })).toEqual(["/headers"]);
});

test("filters accept valid kinds, subjects and properties only", () => {
  expect(faultsOf({ events: [] })).toEqual(["/events"]);
  expect(faultsOf({ events: ["*", "hold.created"] })).toEqual(["/events"]);
  expect(faultsOf({ events: ["hold.created", "hold.melted"] })).toEqual(["/events/1"]);
  expect(faultsOf({ events: ["hold.created", "hold.created"] })).toEqual(["/events"]);
  expect(faultsOf({ subjects: ["booking"] })).toEqual(["/subjects/0"]);
  expect(faultsOf({ subjects: ["booking:bkg_01m7z5f57f"], property_ids: ["hotel-a"] })).toEqual([]);
  expect(faultsOf({ subjects: [], property_ids: [] })).toEqual(["/property_ids", "/subjects"]);
  expect(faultsOf({ scopes: ["admin:*"] })).toEqual(["/scopes/0"]);
  expect(faultsOf({ max_in_flight: 0, max_per_s: 0, ordering: "fifo" })).toEqual([
    ...["/max_in_flight", "/max_per_s", "/ordering"],
  ]);
});

test("only https to public hosts is accepted; in development also this machine", () => {
  for (const host of WRITTEN) {
    expect({ host, faults: faultsOf({ url: `https://${host}/` }) }).toEqual({
      ...{ host, faults: ["/url"] },
    });
  }
  for (const url of ["http://receiver.example/", "ftp://receiver.example/", "receiver.example"]) {
    for (const allowPrivate of [false, true]) {
      expect(faultsOf({ url }, allowPrivate)).toEqual(["/url"]);
    }
  }
  expect(faultsOf({ url: "http://127.0.0.1:8080/" })).toEqual(["/url"]);
  expect(faultsOf({ url: "http://127.0.0.1:8080/" }, true)).toEqual([]);
});
