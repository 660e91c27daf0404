/** Goal: counting a request builds no text, and the text built later is right. */
import { expect, test } from "bun:test";
import { exposition, Metrics } from "./metrics.ts";

test("requests are counted by route and status, and their times by route only", () => {
  const metrics = new Metrics();
  const [get, post] = [
    { method: "GET", path: "/v1/holds/:id" },
    { method: "POST", path: "/v1/holds" },
  ];
  metrics.request(get, 200, 0.5);
  metrics.request(get, 404, 3);
  metrics.request(get, 200, 60_000);
  metrics.request(post, 201, 1);
  const text = exposition([{ role: "api", pid: 7, families: metrics.families() }]);
  const lines = text.split("\n").filter((line) => line.startsWith("innkeep_http"));
  const of = (name: string) => lines.filter((line) => line.startsWith(`innkeep_http_${name}{`));
  const [at, own] = [`method="GET",route="/v1/holds/:id"`, `role="api",pid="7"`];
  expect(of("requests_total")).toEqual([
    `innkeep_http_requests_total{${at},status="200",${own}} 2`,
    `innkeep_http_requests_total{${at},status="404",${own}} 1`,
    `innkeep_http_requests_total{method="POST",route="/v1/holds",status="201",${own}} 1`,
  ]);
  const buckets = of("request_duration_seconds_bucket").filter((line) => line.includes(at));
  const below = buckets.map((line) => Number(line.split(" ").at(-1)));
  // 0.5 ms is within the first bound; a minute is beyond the last.
  expect(below).toEqual([1, 1, 1, ...new Array(11).fill(2), 3]);
  expect(of("request_duration_seconds_count")[0]).toEndWith(" 3");
});
