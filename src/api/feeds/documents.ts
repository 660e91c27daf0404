/**
 * `hotel-list.xml` and `ari.xml`: a tenant's published feed, as stored in its files. A tenant
 * without properties to list, or an unknown one, gets an empty root element.
 */
import { listableOf } from "../../../feeds/listable.ts";
import type { Profile } from "../../../feeds/profiles/profile.ts";
import { emptyAri, emptyList, storedAri, storedList } from "../../../feeds/stored.ts";
import type { PublishedFeed } from "../../../jobs/feed-runs/store.ts";
import type { Encoding, Kept, Refusal, Xml } from "../../http/answer.ts";
import { isBusy } from "../../lib/store-file.ts";
import { firstBuild, servable } from "./first-build.ts";
import { type AtPartner, isGuarded, partnerOf } from "./partner.ts";

/** Days of arrivals, by default. */
const DAYS = 30;

/** The published feed that the query names, or `empty`. */
async function publishedFor(
  call: AtPartner,
  { name }: Profile,
): Promise<PublishedFeed | "empty" | Refusal> {
  const { context, query } = call;
  const tenantId = query.get("tenant_id")!.toLowerCase();
  const published = servable(context, tenantId, name);
  if (published) {
    noteAsked(call, tenantId, name);
    return published;
  }
  // A tenant without listings has no feed.
  if (listableOf(context.replica.state, tenantId).listed.length === 0) return "empty";
  return firstBuild(call, tenantId, name);
}

/** A fetch keeps a feed alive; a failure to record it does not block the file. */
function noteAsked({ context }: AtPartner, tenantId: string, partner: string): void {
  try {
    context.feeds.noteAsked(tenantId, partner, context.engineNow());
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

interface Document {
  readonly stored: (feed: PublishedFeed, encoding: Encoding) => Kept;
  readonly empty: string;
}

async function answer(
  call: AtPartner,
  profile: Profile,
  document: Document,
): Promise<Xml | Refusal> {
  const isPrivate = isGuarded(call.context, profile);
  const feed = await publishedFor(call, profile);
  if (feed === "empty") return { ok: true, xml: document.empty, isPrivate };
  if ("code" in feed) return feed;
  const { seq, at } = feed.manifest;
  const headers = { "innkeep-feed-seq": String(seq), "innkeep-feed-at": at };
  const xml = (encoding: Encoding) => document.stored(feed, encoding);
  return { ok: true, xml, modifiedMs: Date.parse(at), isPrivate, headers };
}

/** `hotel-list.xml`. */
export function hotelList(call: AtPartner): Promise<Xml | Refusal> {
  const profile = partnerOf(call);
  return answer(call, profile, {
    stored: ({ directory, manifest }, encoding) => storedList(directory, manifest, encoding),
    empty: emptyList(profile),
  });
}

/** `ari.xml`: the arrivals of the next days. */
export function ari(call: AtPartner): Promise<Xml | Refusal> {
  const profile = partnerOf(call);
  const days = Number(call.query.get("days") ?? DAYS);
  return answer(call, profile, {
    stored: ({ directory, manifest }, encoding) => storedAri(directory, manifest, days, encoding),
    empty: emptyAri(),
  });
}
