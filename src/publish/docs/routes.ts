/** The reference at `/docs`, the pages of errors and events (`docs_url`), the guides. */
import { Type } from "@sinclair/typebox";
import { REFUSAL_CODES } from "../../../engine/core/refusals.ts";
import * as step from "../../actions/steps.ts";
import { kindNamed, SCHEMAS } from "../../api/events/kinds.ts";
import {
  type Document,
  type FixedPage,
  type PageView,
  type Refusal,
  unknownId,
} from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { codingFor } from "../../http/encoding.ts";
import { CLOSED, POLICY } from "../../http/render-page.ts";
import { route } from "../../http/route.ts";
import { words } from "../../http/schema/answer-parts.ts";
import { ASSET_MAX_AGE_S, asset, assetUrl, COPY_POLICY, isAsset } from "../../pages/assets.ts";
import { rootPath } from "../../pages/frame.ts";
import { errorFacts } from "./error-facts.ts";
import { errorIndex, errorMarkdown, errorPage } from "./error-page.tsx";
import { eventFacts } from "./event-facts.ts";
import { eventIndex, eventMarkdown, eventPage } from "./event-page.tsx";
import { guideIndex, guidePage } from "./guide-page.tsx";
import { addressed, GUIDE_NAMES, guide, isGuide } from "./guides.ts";
import { PICTURES, picture } from "./pictures.ts";
import { referencePage } from "./reference-page.tsx";

const MARKDOWN = "text/markdown; charset=utf-8";
const MARKDOWN_SUFFIX = ".md";
/** Their addresses do not change with the content. */
const PICTURE_MAX_AGE_S = 3_600;
/** Scalar uses inline styles and data icons, and calls the service. */
const REFERENCE_POLICY =
  `${CLOSED}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  "connect-src 'self'";

const GUIDE_POLICY = `${POLICY}; ${COPY_POLICY}`;

async function reference({ context }: PublicCall): Promise<PageView> {
  const { config, demo, routes } = context;
  const root = rootPath(config);
  const assets = {
    styles: await assetUrl("reference.css", root),
    viewer: await assetUrl("scalar.js", root),
    start: await assetUrl("reference.js", root),
  };
  const isDemo = (await demo()) !== null;
  const make = () => referencePage(config, assets, routes.published, isDemo);
  const name = isDemo ? "demo reference" : "reference";
  return { ok: true, page: { name, make }, policy: REFERENCE_POLICY };
}

function fixedPage(name: string, make: FixedPage["make"]): PageView {
  return { ok: true, page: { name, make } };
}

/** `{name}` is a page, `{name}.md` the same as Markdown. */
function readName(asked: string) {
  const isMarkdown = asked.endsWith(MARKDOWN_SUFFIX);
  return { name: isMarkdown ? asked.slice(0, -MARKDOWN_SUFFIX.length) : asked, isMarkdown };
}

function error(call: PublicCall<unknown, "code">): PageView | Document | Refusal {
  const { config, routes } = call.context;
  const { name, isMarkdown } = readName(call.params.code);
  const code = REFUSAL_CODES.find((each) => each === name);
  if (!code) return unknownId("/code", "a code of GET /.well-known/errors", step.GET_ERRORS);
  const facts = () => errorFacts(code, routes);
  if (isMarkdown) return { ok: true, content: errorMarkdown(facts()), type: MARKDOWN };
  return fixedPage(`error ${code}`, () => errorPage(facts(), rootPath(config)));
}

function event(call: PublicCall<unknown, "kind">): PageView | Document | Refusal {
  const { name, isMarkdown } = readName(call.params.kind);
  const kind = kindNamed(name);
  if (kind === null) return unknownId("/kind", "a kind of GET /docs/events", step.GET_EVENTS);
  if (isMarkdown) return { ok: true, content: eventMarkdown(eventFacts(kind)), type: MARKDOWN };
  const root = rootPath(call.context.config);
  return fixedPage(`event ${kind}`, () => eventPage(eventFacts(kind), root));
}

async function showGuide(
  call: PublicCall<unknown, "name">,
): Promise<PageView | Document | Refusal> {
  const { name, isMarkdown } = readName(call.params.name);
  if (!isGuide(name)) return unknownId("/name", "a guide of GET /docs/guides", step.GET_GUIDES);
  const found = addressed(await guide(name), call.context.config.baseUrl);
  if (isMarkdown) return { ok: true, content: found.markdown, type: MARKDOWN };
  const make = () => guidePage(found, rootPath(call.context.config));
  return { ok: true, page: { name: `guide ${name}`, make }, policy: GUIDE_POLICY };
}

async function file(call: PublicCall<unknown, "file">): Promise<Document | Refusal> {
  const name = call.params.file;
  if (PICTURES.includes(name)) {
    const content = await picture(name);
    return { ok: true, content, isCoded: true, type: "image/webp", maxAgeS: PICTURE_MAX_AGE_S };
  }
  if (!isAsset(name))
    return unknownId("/file", "a file that a page of /docs names", step.GET_INDEX);
  const { bytes, type, isGzip } = await asset(name);
  if (!isGzip) return { ok: true, content: bytes, type, maxAgeS: ASSET_MAX_AGE_S };
  const encoding = codingFor(call.request.headers.get("accept-encoding"), ["gzip"]);
  const isPlain = encoding === "identity";
  const content = isPlain ? Bun.gunzipSync(bytes) : bytes;
  const headers = {
    vary: "Accept-Encoding",
    ...(!isPlain && { "content-encoding": encoding }),
  };
  return { ok: true, content, isCoded: true, type, headers, maxAgeS: ASSET_MAX_AGE_S };
}

const GET = { tag: "Documentation", method: "GET", access: "public", errors: [] } as const;
const PAGE = {
  ...GET,
  renderer: "page",
  description: "For readers.",
  success: {
    status: 200,
    description: "The page.",
    body: Type.String(),
    contentType: "text/html",
  },
} as const;

export const docsRoutes = [
  route({
    ...PAGE,
    id: "get_docs",
    path: "/docs",
    summary: "The API reference",
    handle: reference,
  }),
  route({
    ...PAGE,
    id: "get_error_index",
    path: "/docs/errors",
    summary: "All error codes",
    handle: ({ context }) => fixedPage("errors", () => errorIndex(rootPath(context.config))),
  }),
  route({
    ...PAGE,
    id: "get_error_page",
    path: "/docs/errors/:code",
    summary: "Get the page of an error code",
    description:
      "The target of an error's `docs_url`: meaning, recovery, fields of `detail`, an example. " +
      "`/docs/errors/{code}.md` is the same as Markdown.",
    params: { code: { schema: words(REFUSAL_CODES), description: "The error code." } },
    hasUnlistedIds: true,
    handle: error,
  }),
  route({
    ...PAGE,
    id: "get_event_index",
    path: "/docs/events",
    summary: "All kinds of events",
    handle: ({ context }) => fixedPage("events", () => eventIndex(rootPath(context.config))),
  }),
  route({
    ...PAGE,
    id: "get_event_page",
    path: "/docs/events/:kind",
    summary: "Get the page of a kind of event",
    description:
      "The target of a kind's `docs_url`: meaning, fields of `data`, JSON Schema, an example. " +
      "`/docs/events/{kind}.md` is the same as Markdown.",
    params: { kind: { schema: words([...SCHEMAS.keys()]), description: "The kind of event." } },
    hasUnlistedIds: true,
    handle: event,
  }),
  route({
    ...PAGE,
    id: "get_guide_index",
    path: "/docs/guides",
    summary: "All guides",
    handle: ({ context }) => fixedPage("guides", () => guideIndex(rootPath(context.config))),
  }),
  route({
    ...PAGE,
    id: "get_guide",
    path: "/docs/guides/:name",
    summary: "A guide",
    description:
      "How to work with or on the service. `/docs/guides/{name}.md` is the same as Markdown.",
    params: { name: { schema: words(GUIDE_NAMES), description: "Name of the guide." } },
    hasUnlistedIds: true,
    handle: showGuide,
  }),
  route({
    ...GET,
    id: "get_docs_asset",
    path: "/docs/assets/:file",
    summary: "Style and script of the reference",
    description: "A closed list of files; addresses change with the content.",
    renderer: "document",
    params: { file: { schema: Type.String(), description: "Name of the file." } },
    hasUnlistedIds: true,
    success: {
      status: 200,
      description: "The file.",
      body: Type.String(),
      contentType: "*/*",
    },
    handle: file,
  }),
];
