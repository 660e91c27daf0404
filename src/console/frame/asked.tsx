/** The question before a deed. */
import type { ComponentChildren } from "preact";
import { ActionForm, Crumbs } from "./parts.tsx";
import type { Origin, Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

interface Question extends Origin {
  /** Of the page: nothing that people wrote. */
  readonly title: string;
  /** Words of people, such as a name. */
  readonly about: string;
  /** Where the form leads. */
  readonly to: string;
  readonly button: string;
  readonly children: ComponentChildren;
}

/** Asks before a deed; nothing has happened yet. */
export function askedPage<Name extends string>(visit: Visit<Name>, question: Question): Shown {
  const { title, about, place, to, button, children } = question;
  const main = (
    <>
      <Crumbs to={visit.root + question.back}>{question.backName}</Crumbs>
      <h1>{title}</h1>
      <p class="lead">
        <bdi>{about}</bdi>
      </p>
      <ActionForm visit={visit} to={to} class="card">
        {children}
        <button type="submit" class="danger">
          {button}
        </button>
      </ActionForm>
    </>
  );
  return { title, place, main };
}
