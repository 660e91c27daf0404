/**
 * A secret on the answer to the form that made it, and nowhere else: not in an address, not in the
 * history of the browser.
 */
import { Fault } from "./parts.tsx";
import type { Place, Shown } from "./shown.ts";

interface SecretOf {
  readonly title: string;
  readonly place: Place;
  /** What the secret is of. */
  readonly of: string;
  /** Null when the form was sent before: it was shown then. */
  readonly secret: string | null;
  /** What to do with it. */
  readonly use: string;
  /** Address of the page that it belongs to. */
  readonly back: string;
  readonly backName: string;
}

/** The page that shows a secret once. */
export function secretPage({ title, place, of, secret, use, back, backName }: SecretOf): Shown {
  const main = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        <bdi>{of}</bdi>
      </p>
      {secret === null ? (
        <Fault>
          The secret was shown when the form was sent first, and is not shown again. If it is lost,
          replace it.
        </Fault>
      ) : (
        <section class="secret" aria-labelledby="secret-name">
          <h2 id="secret-name">Secret, shown once</h2>
          <pre>
            <code id="secret">{secret}</code>
          </pre>
          <p>
            Copy it now: the service keeps no copy that anybody can read, and no other page shows
            it. {use}
          </p>
        </section>
      )}
      <p>
        <a class="button" href={back}>
          {backName}
        </a>
      </p>
    </>
  );
  return { title, place, main, hasSecret: true };
}
