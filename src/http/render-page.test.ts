/** Goal: browsers get pages, and programs get the same answers as without pages. */
import { expect, test } from "bun:test";
import { wantsPage } from "./render-page.ts";

const BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

const ask = (accept: string | null, method = "GET") =>
  wantsPage({ method, headers: new Headers(accept === null ? {} : { accept }) });

test("a page is sent to a client that names HTML and prefers it to JSON", () => {
  for (const accept of [BROWSER, "text/html", "application/json;q=0.5, Text/HTML;level=1;q=0.6"]) {
    expect({ accept, isPage: ask(accept) }).toEqual({ accept, isPage: true });
  }
  const programs = [null, "", "*/*", "application/json", "text/*", "application/json, text/html"];
  const odd = ["text/html;q=0", "text/html;q=0.4, application/json;q=0.5", "text/html;q=x", ","];
  for (const accept of [...programs, ...odd, "text/htmlx", "application/json, */*;q=0.1"]) {
    expect({ accept, isPage: ask(accept) }).toEqual({ accept, isPage: false });
  }
});

test("only a read is answered with a page", () => {
  expect([ask(BROWSER, "HEAD"), ask(BROWSER, "POST"), ask(BROWSER, "DELETE")]).toEqual([
    ...[true, false, false],
  ]);
});
