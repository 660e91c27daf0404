/** The one place where an answer becomes a response: with the renderer that its route names. */
import type { Answer, Refusal, RendererName, Verbatim, Views } from "./answer.ts";
import type { Asked } from "./call.ts";
import { coded } from "./compress.ts";
import { renderDocument } from "./render-document.ts";
import { renderRefusal, renderSuccess } from "./render-envelope.ts";
import { renderOauth, renderOauthRefusal, renderSmall } from "./render-oauth.ts";
import { renderMissing, renderPage } from "./render-page.ts";
import { renderTable } from "./render-table.ts";
import { renderXml } from "./render-xml.ts";
import { wantsPage } from "./wants-page.ts";

type Renderers = {
  readonly [R in RendererName]: (call: Asked, view: Views[R]) => Response | Promise<Response>;
};

const RENDERERS: Renderers = {
  envelope: renderSuccess,
  oauth: renderOauth,
  document: renderDocument,
  page: renderPage,
  xml: renderXml,
  verbatim: renderVerbatim,
  negotiated: (call, view) =>
    "data" in view ? renderTable(call, view) : renderVerbatim(call, view),
  table: renderTable,
};

/** A text is an answer as others are; what comes bit by bit is somebody else's to code. */
function renderVerbatim(
  { request }: Asked,
  { status, headers, body }: Verbatim,
): Response | Promise<Response> {
  if (typeof body === "string" && status === 200) {
    return coded(request, body, { status, headers: new Headers(headers) });
  }
  return new Response(body, { status, headers });
}

/** The response of an answer; a refusal is in the envelope or in OAuth's own small body. */
export function sendData(
  renderer: RendererName,
  call: Asked,
  answer: Answer,
): Response | Promise<Response> {
  if (answer.ok) return rendererOf(renderer)(call, answer);
  if (renderer === "page" && isMissing(answer)) return missing(call, answer);
  if ("error" in answer) return renderSmall(call, answer);
  return renderer === "oauth" ? renderOauthRefusal(call, answer) : renderRefusal(call, answer);
}

function isMissing(answer: Answer): answer is Refusal {
  return !answer.ok && "code" in answer && answer.status === 404;
}

/** Of a page that is not there a person is told by a page, and a program as ever. */
async function missing(call: Asked, refusal: Refusal): Promise<Response> {
  const isPage = wantsPage(call.request);
  const response = isPage ? await renderMissing(call) : renderRefusal(call, refusal);
  response.headers.set("vary", "Accept");
  return response;
}

/** `route()` lets a handler answer only what its renderer takes; here that is forgotten. */
function rendererOf(name: RendererName) {
  return RENDERERS[name] as (call: Asked, view: Views[RendererName]) => Response;
}
