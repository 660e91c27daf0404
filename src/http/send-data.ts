/** Makes responses of answers, with the renderer of the route. */
import type { Answer, Refusal, RendererName, Verbatim, Views } from "./answer.ts";
import type { Asked } from "./call.ts";
import { coded } from "./compress.ts";
import { renderDocument } from "./render-document.ts";
import { renderRefusal, renderSuccess } from "./render-envelope.ts";
import { renderOauth, renderOauthRefusal, renderSmall } from "./render-oauth.ts";
import { renderMissing, renderPage, wantsPage } from "./render-page.ts";
import { renderPrivatePage, renderPrivateRefusal } from "./render-private-page.ts";
import { renderTable } from "./render-table.ts";
import { renderXml } from "./render-xml.ts";

type Renderers = {
  readonly [R in RendererName]: (call: Asked, view: Views[R]) => Response | Promise<Response>;
};

const RENDERERS: Renderers = {
  envelope: renderSuccess,
  oauth: renderOauth,
  document: renderDocument,
  page: renderPage,
  "private-page": (call, view) =>
    "show" in view ? renderPrivatePage(call, view) : renderVerbatim(call, view),
  xml: renderXml,
  verbatim: renderVerbatim,
  negotiated: (call, view) =>
    "data" in view ? renderTable(call, view) : renderVerbatim(call, view),
  table: renderTable,
};

/** Texts are compressed like other answers; streams are not. */
function renderVerbatim(
  { request }: Asked,
  { status, headers, body }: Verbatim,
): Response | Promise<Response> {
  if (typeof body === "string" && status === 200) {
    return coded(request, body, { status, headers: new Headers(headers) });
  }
  return new Response(body, { status, headers });
}

/** The response of an answer; refusals use the envelope or OAuth's small body. */
export function sendData(
  renderer: RendererName,
  call: Asked,
  answer: Answer,
): Response | Promise<Response> {
  if (answer.ok) return rendererOf(renderer)(call, answer);
  if (renderer === "page" && isMissing(answer)) return missing(call, answer);
  if (renderer === "private-page") return renderPrivateRefusal(call, answer);
  if ("error" in answer) return renderSmall(call, answer);
  return renderer === "oauth" ? renderOauthRefusal(call, answer) : renderRefusal(call, answer);
}

function isMissing(answer: Answer): answer is Refusal {
  return !answer.ok && "code" in answer && answer.status === 404;
}

/** A missing page is a page for browsers and JSON for programs. */
async function missing(call: Asked, refusal: Refusal): Promise<Response> {
  const isPage = wantsPage(call.request);
  const response = isPage ? await renderMissing(call) : renderRefusal(call, refusal);
  response.headers.set("vary", "Accept");
  return response;
}

/** `route()` ties handlers to renderers; that type is lost here. */
function rendererOf(name: RendererName) {
  return RENDERERS[name] as (call: Asked, view: Views[RendererName]) => Response;
}
