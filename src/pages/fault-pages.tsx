/** Pages for an unknown address, and for what cannot be shown. */
import type { Page } from "./frame.ts";

/** `root` is from `rootPath`. */
export function missingPage(root: string): Page {
  const main = (
    <div class="missing">
      <p class="number" aria-hidden="true">
        404
      </p>
      <h1>There is no such page</h1>
      <p class="lead">The address may be mistyped, or what was here has gone. These are here:</p>
      <ul>
        <li>
          <a href={`${root}/`}>The front page</a>
        </li>
        <li>
          <a href={`${root}/docs`}>The reference</a>: every call, to be tried
        </li>
        <li>
          <a href={`${root}/docs/guides`}>The guides</a>, from a first booking to a front desk
        </li>
        <li>
          <a href={`${root}/docs/errors`}>The errors</a>, and what to do about each
        </li>
      </ul>
    </div>
  );
  const description = "There is no such page.";
  return { title: "No such page · Innkeep", description, main, isUnlisted: true };
}

interface Refused {
  readonly message: string;
  readonly waitS: number | null;
  readonly traceId: string;
}

/** A refusal for a person to read. */
export function refusalPage({ message, waitS, traceId }: Refused): Page {
  const main = (
    <>
      <h1>This page cannot be shown</h1>
      <p class="lead">
        {message}
        {waitS !== null && ` Try again in ${waitS} s.`}
      </p>
      <p class="note">
        Trace: <code>{traceId}</code>
      </p>
    </>
  );
  return { title: "Not shown · Innkeep", description: "Not shown.", main, isUnlisted: true };
}
