/** The answer to a browser at `/`. */
import { chargeAddress } from "../../http/admission.ts";
import type { PageView } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { untilFresh } from "../../http/freshness.ts";
import { POLICY } from "../../http/render-page.ts";
import { assetUrl, COPY_POLICY } from "../../pages/assets.ts";
import { rootPath } from "../../pages/frame.ts";
import { type DemoSearch, demoSearch, placesOf, readForm } from "./demo-search.ts";
import { homePage } from "./page.tsx";

/** Limit of searches per address; beyond it the page has no results. */
const SEARCHES = { name: "front_page", perMinute: 120 };
/** The form leads back here; hotels host their own pictures. */
const OPENED = `${POLICY.replace("form-action 'none'", "form-action 'self'")} https:`;
const FRONT_POLICY = `${OPENED}; ${COPY_POLICY}`;

/** The front page with the demo's search, if any. Prices are of the moment. */
export async function frontPage(call: PublicCall): Promise<PageView> {
  const search = await searchOf(call);
  const kept = search === null ? "public, max-age=300" : "private, max-age=0, must-revalidate";
  const headers = { vary: "Accept", "cache-control": kept };
  const { config } = call.context;
  const scripts = [await assetUrl("copy.js", rootPath(config))];
  const make = () => ({ ...homePage(config, search), scripts });
  const page = search === null ? { name: "front page", make } : make();
  return { ok: true, page, policy: FRONT_POLICY, headers };
}

async function searchOf(call: PublicCall): Promise<DemoSearch | null> {
  const { context, query } = call;
  const desk = await context.demo();
  if (desk === null || (await chargeAddress(call, SEARCHES)) !== null) return null;
  await untilFresh(context.replica);
  const places = placesOf(context.replica.state, desk.tenant_id);
  if (places.length === 0) return null;
  return demoSearch(call, desk, readForm(query, places, context.engineNow()), places);
}
