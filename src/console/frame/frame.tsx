/** The frame around every page of the console. */
import { agentById } from "../../access/control/agents.ts";
import { type Assets, assetsOf, PersonHead, TestBand } from "../../page-parts/document.tsx";
import { documentText, SkipLink } from "../../pages/document.tsx";
import { personName } from "./by.tsx";
import { ActionForm } from "./parts.tsx";
import { PLACES, type Shown } from "./shown.ts";
import type { ApiCall, Visit } from "./visit.ts";

/** The document of a page. */
export async function rendered(visit: Visit, shown: Shown): Promise<string> {
  const { root } = visit;
  const scripts = ["console.js", ...(shown.script ? [shown.script] : [])] as const;
  const assets = await assetsOf(root, scripts);
  return documentText(<Frame visit={visit} shown={shown} assets={assets} />);
}

function Frame({
  visit,
  shown,
  assets,
}: {
  readonly visit: Visit;
  readonly shown: Shown;
  readonly assets: Assets;
}) {
  const { root, call, made } = visit;
  const { principal, context } = call;
  const isTest = principal.mode === "test";
  return (
    <html lang="en">
      <PersonHead root={root} title={shown.title} assets={assets} />
      <body class="console" data-stream={`${root}/console/live`} data-seq={visit.headSeq}>
        <SkipLink />
        {isTest && <TestBand />}
        <header class="bar">
          <a class="brand" href={`${root}/console`}>
            <img src={`${root}/logo.svg`} alt="" width="24" height="24" />
            Innkeep
          </a>
          <p id="live" class="live" role="status" hidden />
          <p class="who">
            <WhoIsHere visit={visit} />
          </p>
          <ActionForm visit={visit} to="/console/sign-out">
            <button type="submit" class="quiet">
              Sign out
            </button>
          </ActionForm>
        </header>
        <nav class="rail" aria-label="Console">
          {Object.entries(PLACES).map(([place, { name, path, key }]) => (
            <a
              href={root + path}
              data-key={key}
              aria-current={place === shown.place ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <main id="main" tabindex={-1}>
          {shown.main}
          {made.length > 0 && <ApiCalls made={made} baseUrl={context.config.baseUrl} />}
        </main>
      </body>
    </html>
  );
}

/** The operator, and who works for it. */
function WhoIsHere({ visit }: { readonly visit: Visit }) {
  const { context, principal } = visit.call;
  const operator = agentById(context.store, principal.agent_id)?.name;
  const name = personName(visit, principal.person_id);
  if (name === null) return <>{operator}</>;
  return (
    <>
      <a href={`${visit.root}/console/you`}>
        <bdi>{name}</bdi>
      </a>{" "}
      · <bdi>{operator}</bdi>
    </>
  );
}

/** What a program would call for the same. */
function ApiCalls({ made, baseUrl }: { readonly made: readonly ApiCall[]; baseUrl: string }) {
  return (
    <details class="api-calls">
      <summary>As API calls</summary>
      {made.map((call) => (
        <div>
          <pre>
            <code>{curlOf(call, baseUrl)}</code>
          </pre>
          <p class="faint">
            {call.status} · trace <code>{call.traceId}</code>
          </p>
        </div>
      ))}
    </details>
  );
}

function curlOf({ method, path, body }: ApiCall, baseUrl: string): string {
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${oneWord(baseUrl + path)}`,
    `-H "Authorization: Bearer $INNKEEP_SECRET"`,
  ];
  if (body !== undefined) {
    const text = oneWord(JSON.stringify(body));
    lines.push("-H 'Content-Type: application/json'", `-d ${text}`);
  }
  return lines.join(" \\\n  ");
}

/** A text as one word of a shell. */
function oneWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
