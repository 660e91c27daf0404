/** Import of hotels from a table or from property trees: tried first, then done. */
import type { Static } from "@sinclair/typebox";
import type { ImportResult } from "../../api/properties/admin-responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form, LARGE_FORM_BYTES_MAX, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { ActionForm, Crumbs, Problem, plural } from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { PATH } from "./list.tsx";
import { Reasons, reasonsBesideFields, reasonsOf } from "./reasons.tsx";

type Result = Static<typeof ImportResult>;

const TO = `${PATH}/import`;
/** Of a page. */
const ITEMS_MAX = 200;

function ImportForm({ visit, text }: { readonly visit: Visit; readonly text: string }) {
  return (
    <ActionForm visit={visit} to={TO} class="card wide">
      <label>
        A table with a line for each rate plan, or a property tree as JSON in each line
        <textarea name="hotels" id="hotels" rows={12} required>
          {text}
        </textarea>
      </label>
      <label data-needs-script hidden>
        or a file
        <input type="file" accept=".csv,.ndjson,.jsonl,.json,text/csv" data-reads-into="hotels" />
      </label>
      <button type="submit">Try it</button>
      <p class="faint">
        Nothing is written yet. Up to 2 MB; more by API. Amounts are in minor units: 9500 is 95.00
        EUR. The columns, with an example, are in{" "}
        <a href={`${visit.root}/docs/guides/integrators#bulk-import`}>Bulk import</a>.
      </p>
    </ActionForm>
  );
}

async function show(visit: Visit): Promise<Shown> {
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Properties</Crumbs>
      <h1>Import hotels</h1>
      <ImportForm visit={visit} text="" />
    </>
  );
  return { title: "Import hotels", place: "properties", main };
}

/** A first form tries; the form of its result imports. */
async function importOrTry(visit: Visit, sent: Form): Promise<Shown> {
  const text = sent.get("hotels") ?? "";
  const isTrial = sent.get("import") !== "yes";
  const isTrees = text.trimStart().startsWith("{");
  const done = await ask<Result>(visit, {
    id: "admin_import_properties",
    body: text,
    contentType: isTrees ? "application/x-ndjson" : "text/csv",
    query: isTrial ? { dry_run: "true" } : {},
    headers: keyHeader(sent),
  });
  const main = (
    <>
      <Crumbs to={visit.root + PATH}>Properties</Crumbs>
      <h1>{isTrial ? "What the import would do" : "Imported"}</h1>
      <Outcome done={done} />
      {isTrial && done.ok && done.data.imported > 0 && (
        <ActionForm visit={visit} to={TO} class="deeds">
          <input type="hidden" name="hotels" value={text} />
          <input type="hidden" name="import" value="yes" />
          <button type="submit">Import {plural(done.data.imported, "hotel")}</button>
        </ActionForm>
      )}
      {!isTrial && done.ok && (
        <p>
          <a class="button" href={visit.root + PATH}>
            Put drafts on sale…
          </a>
        </p>
      )}
      {isTrial && <ImportForm visit={visit} text={text} />}
    </>
  );
  return { title: "Import hotels", place: "properties", main, status: done.ok ? 200 : 409 };
}

function Outcome({ done }: { readonly done: Answered<Result> }) {
  if (!done.ok) {
    return (
      <>
        <Problem error={done.error} />
        <Reasons reasons={reasonsBesideFields(done.error.detail)} />
      </>
    );
  }
  const { created, updated, unchanged, failed, not_promotable, items } = done.data;
  const noted = items.filter(({ error, warnings }) => error || (warnings?.length ?? 0) > 0);
  return (
    <>
      <p class="lead">
        {created} new, {updated} changed, {unchanged} as before, {failed} refused.
        {not_promotable > 0 &&
          ` ${plural(not_promotable, "hotel")} cannot be put on sale as imported.`}
      </p>
      {noted.slice(0, ITEMS_MAX).map(({ line, slug, error, warnings = [] }) => (
        <>
          <h3>
            Line {line} {slug !== undefined && <code>{slug}</code>}
          </h3>
          <Reasons reasons={error ? reasonsOf(error.detail) : warnings} />
          {error && reasonsOf(error.detail).length === 0 && <p>{error.code}</p>}
        </>
      ))}
      {noted.length > ITEMS_MAX && <p>… and {noted.length - ITEMS_MAX} more.</p>}
    </>
  );
}

export const importPageRoutes = [
  page({ id: "console_import", path: TO, summary: "Import hotels" }, show),
  form(
    {
      id: "console_do_import",
      path: TO,
      summary: "Try or do an import",
      bytesMax: LARGE_FORM_BYTES_MAX,
    },
    importOrTry,
  ),
];
