/** `POST /feeds/{partner}/query`: answers of pulling partners, from the live replica. */
import { Type } from "@sinclair/typebox";
import { answerTo, pricesIn, QUERY_PRICES_MAX } from "../../../feeds/query.ts";
import {
  QUERY_BYTES_MAX,
  QUERY_ITINERARIES_MAX,
  QUERY_PROPERTIES_MAX,
  readQuery,
} from "../../../feeds/query-parser.ts";
import { invalid, type Refusal, type Verbatim } from "../../http/answer.ts";
import { readText } from "../../http/body.ts";
import { codingFor } from "../../http/encoding.ts";
import { route } from "../../http/route.ts";
import { streamOf } from "./answer-stream.ts";
import { type AtPartner, feedGuard, PARTNER, partnerOf, TENANT_ID } from "./partner.ts";
import { PRICES_PER_MINUTE, slotFor } from "./query-limits.ts";

const XML = "application/xml";

async function answerQuery(call: AtPartner): Promise<Verbatim | Refusal> {
  const { context, request, query, traceId } = call;
  const { headers: asked } = request;
  if (!/^(?:application|text)\/xml\b/i.test(asked.get("content-type") ?? "")) {
    return invalid([{ path: "Content-Type", message: "is not XML", expected: XML }]);
  }
  const received = await readText(request, QUERY_BYTES_MAX);
  if (!received.ok) return invalid([received.fault]);
  const profile = partnerOf(call);
  const reading = readQuery(received.text, profile.nightsKnown);
  if (!reading.ok) return invalid(reading.faults);
  const asking = {
    state: context.replica.state,
    tenantId: query.get("tenant_id")!.toLowerCase(),
    profile,
    nowMs: context.engineNow(),
    messageId: `query-${traceId}`,
  };
  const prices = pricesIn(reading.query, asking);
  if (prices > QUERY_PRICES_MAX) {
    const expected = `at most ${QUERY_PRICES_MAX} prices (rates times stays)`;
    return invalid([{ path: "/Query", message: "requests too many prices", expected }]);
  }
  const answer = answerTo(reading.query, asking);
  const slot = await slotFor(call, `${asking.tenantId}:${profile.name}`, prices);
  if (!slot.ok) return slot;
  const encoding = codingFor(asked.get("accept-encoding"), ["gzip"]);
  const headers = {
    "content-type": `${XML}; charset=utf-8`,
    "cache-control": "no-store",
    ...(answer.seq > 0 && {
      "innkeep-feed-seq": String(answer.seq),
      "innkeep-feed-at": answer.at,
    }),
    ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
  };
  return { ok: true, status: 200, headers, body: streamOf(answer.pieces, encoding, slot.leave) };
}

export const feedQueryRoutes = [
  route({
    id: "answer_feed_query",
    tag: "Feeds",
    method: "POST",
    path: "/feeds/:partner/query",
    summary: "Answer a partner's query",
    description:
      "The pull `<Query>` of Google and Microsoft: prices of a stay, of a range of arrivals or " +
      "of affected stays, live or not, and `HotelInfoProperties` for rooms and rates. The answer " +
      "is the current state; a `Result` has the same bytes as in `ari.xml`. Properties outside " +
      "the hotel list have no stays; past arrivals are left out. At most " +
      `${QUERY_BYTES_MAX / 1024} KiB, ${QUERY_PROPERTIES_MAX} properties and ` +
      `${QUERY_ITINERARIES_MAX} itineraries with ${QUERY_PRICES_MAX} prices, without a document ` +
      `type, and ${PRICES_PER_MINUTE} prices a minute from one address.`,
    access: "public",
    takesPartnerCredential: true,
    guard: feedGuard,
    // A partner asks about many properties within seconds, from few addresses.
    addressLimit: { name: "feed_query", perMinute: 600 },
    params: { partner: PARTNER },
    query: { tenant_id: TENANT_ID },
    hasUnlistedIds: true,
    reads: "stream",
    bodyBytesMax: QUERY_BYTES_MAX,
    accepts: { [XML]: Type.String({ description: "`<Query>`." }) },
    readsReplica: true,
    renderer: "verbatim",
    success: {
      ...{ status: 200, description: "`<Transaction>`." },
      ...{ body: Type.String(), contentType: XML },
      headers: {
        "Innkeep-Feed-Seq":
          "Number of the tenant's last event in the answer; absent if nothing was found.",
        "Innkeep-Feed-At": "Time of that position, RFC 3339; absent as well.",
      },
    },
    errors: ["unauthenticated", "rate_limited"],
    handle: answerQuery,
  }),
];
