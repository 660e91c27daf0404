/** The feed of one partner. */
import type { Static } from "@sinclair/typebox";
import type { FeedList } from "../../api/feeds/responses.ts";
import { formatsOf } from "../../languages/formats.ts";
import { ActionForm, At, Fact, plural, State, wordsOf } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";

type Feed = Static<typeof FeedList>["items"][number];
type Published = NonNullable<Feed["published"]>;

const PATH = "/console/feeds";
const FORMATS = formatsOf({ language: "en", tag: "en" });
const BPS = 10_000;
const KB = 1_000;

function sizeOf(bytes: number): string {
  if (bytes < KB) return plural(bytes, "byte");
  if (bytes < KB * KB) return `${FORMATS.decimal(Math.round(bytes / KB))} kB`;
  return `${FORMATS.decimal(Math.round((bytes / (KB * KB)) * 10) / 10)} MB`;
}

/** What is published, what is being built, and what can be done. */
export function FeedSection({ visit, feed }: { readonly visit: Visit; readonly feed: Feed }) {
  const { partner, title, published, open_run, failed_run, documents } = feed;
  return (
    <section class="feed" id={`feed-${partner}`} aria-labelledby={`${partner}-name`}>
      <h2 id={`${partner}-name`}>
        {title}{" "}
        <State state={open_run?.state ?? (published === null ? "not_built" : "published")} />
      </h2>
      {open_run !== null && (
        <p>
          <progress max={1} value={open_run.progress} aria-label={`Build for ${title}`} />{" "}
          {open_run.phase === null ? "waiting" : wordsOf(open_run.phase)}
        </p>
      )}
      {failed_run !== null && <Failure root={visit.root} feed={feed} run={failed_run} />}
      <dl>
        {published !== null && <PublishedFacts published={published} />}
        <Fact name="Accuracy">
          <Accuracy feed={feed} />
        </Fact>
        <Fact name="Last request (UTC)">
          {feed.asked_at === null ? "none" : <At instant={feed.asked_at} zone="UTC" />}
        </Fact>
        {feed.next_nightly_at !== null && (
          <Fact name="Next build (UTC)">
            <At instant={feed.next_nightly_at} zone="UTC" />
          </Fact>
        )}
      </dl>
      {published !== null && <Omitted root={visit.root} published={published} />}
      <div class="deeds">
        <ActionForm visit={visit} to={`${PATH}/${partner}/build`}>
          <button type="submit" aria-label={`Build now for ${title}`}>
            Build now
          </button>
        </ActionForm>
        <a class="button" href={`${visit.root}${PATH}/${partner}`}>
          Builds<span class="told-only"> for {title}</span>
        </a>
      </div>
      <details>
        <summary>Documents for {title}</summary>
        <ul>
          {Object.entries(documents).map(([name, url]) => (
            <li>
              {wordsOf(name)}: <a href={url}>{url}</a>
            </li>
          ))}
        </ul>
        <p class="faint">
          {feed.about} {feed.needs_credential && "The partner signs in with a user and a password."}
        </p>
      </details>
    </section>
  );
}

function PublishedFacts({ published: { at, hotel_list, ari } }: { published: Published }) {
  return (
    <>
      <Fact name="Last build (UTC)">
        <At instant={at} zone="UTC" />
      </Fact>
      <Fact name="Properties">
        {hotel_list.listings} <span class="faint">{sizeOf(hotel_list.bytes)}</span>
      </Fact>
      {ari.map(({ days, results, bytes, gzip_bytes, step }) => (
        <Fact name={`Prices of ${plural(days, "day")}`}>
          {sizeOf(bytes)}{" "}
          <span class="faint">
            {sizeOf(gzip_bytes)} compressed, {FORMATS.decimal(results)} stays
            {step !== "all_rates" && `, reduced: ${wordsOf(step)}`}
          </span>
        </Fact>
      ))}
    </>
  );
}

/** Share of checked stays whose price was still the same. */
function Accuracy({ feed: { accuracy } }: { readonly feed: Feed }) {
  if (accuracy === null) return <>not checked yet</>;
  const { equal, price_changed, no_longer_sellable, now_sellable, alarm, checked_at } = accuracy;
  const all = equal + price_changed + no_longer_sellable + now_sellable;
  return (
    <>
      {all === 0 ? "nothing to check" : FORMATS.percent(Math.floor((equal * BPS) / all))}{" "}
      {alarm !== null && <span class="chip bad">{alarm}</span>}{" "}
      <span class="faint">
        of {all}: {price_changed} with another price, {no_longer_sellable} no longer sold,{" "}
        {now_sellable} sold now; <At instant={checked_at} zone="UTC" />
      </span>
    </>
  );
}

interface FailureOf {
  readonly root: string;
  readonly feed: Feed;
  readonly run: NonNullable<Feed["failed_run"]>;
}

function Failure({ root, feed, run: { reason, detail, ended_at } }: FailureOf) {
  return (
    <div class="problem">
      <p>
        <b>The last build failed: {wordsOf(reason ?? "unknown")}</b>{" "}
        {ended_at !== null && <At instant={ended_at} zone="UTC" />}
      </p>
      {detail !== null && <p>{detail}</p>}
      {feed.published !== null && <p>The feed before it stays published.</p>}
      {reason === "shrunken" && (
        <p>
          <a class="button" href={`${root}${PATH}/${feed.partner}/accept`}>
            Accept the shorter list…
          </a>
        </p>
      )}
    </div>
  );
}

function Omitted({ root, published }: { readonly root: string; readonly published: Published }) {
  const { count, properties } = published.hotel_list.skipped;
  if (count === 0) return null;
  return (
    <details>
      <summary>{plural(count, "property is", "properties are")} omitted</summary>
      <ul>
        {properties.map(({ property_id, reasons }) => (
          <li>
            <a href={`${root}/console/events?subject=property:${property_id}`}>
              <code>{property_id}</code>
            </a>
            : {reasons.join("; ")}
          </li>
        ))}
      </ul>
      {count > properties.length && (
        <p class="faint">
          The first {properties.length} of {count}.
        </p>
      )}
    </details>
  );
}
