/** Deeds that change the state of an agent or a person: asked about first, then done. */
import type { Parameter } from "../../http/contract.ts";
import type { Route } from "../../http/route.ts";
import { type Answered, ask } from "./api.ts";
import { askedPage } from "./asked.tsx";
import { form, page } from "./console-route.ts";
import { type Form, keyHeader } from "./form.ts";
import { notDone } from "./not-done.tsx";
import type { Gone, Origin, Shown } from "./shown.ts";
import { proofPage } from "./step-up.tsx";
import type { Visit } from "./visit.ts";

export interface StateDeed {
  readonly label: string;
  /** States in which it is offered. */
  readonly from: readonly string[];
  readonly effect: string;
  /** The call of the API that does it. */
  readonly call: { readonly id: string; readonly body: object };
}

type Deeds = Readonly<Record<"suspend" | "resume" | "revoke", StateDeed>>;

interface LinksOf {
  /** Address of the page, with the root of the service. */
  readonly at: string;
  readonly deeds: Deeds;
  readonly state: string;
}

/** Links to the deeds that the state allows. */
export function DeedLinks({ at, deeds, state }: LinksOf) {
  const offered = Object.entries(deeds).filter(([, { from }]) => from.includes(state));
  return (
    <>
      {offered.map(([name, { label }]) => (
        <a class="button" href={`${at}/${name}`}>
          {label}…
        </a>
      ))}
    </>
  );
}

interface Subject {
  readonly noun: "agent" | "person";
  /** The noun with its article. */
  readonly one: string;
  /** Path of the page, with `:id`. */
  readonly path: `${string}/:id`;
  readonly params: Readonly<Record<string, Parameter>>;
  readonly deeds: Deeds;
  readonly find: (visit: Visit<"id">) => Promise<Answered<{ readonly name: string }>>;
  readonly originOf: (visit: Visit<"id">) => Origin;
}

/** The question and the form of each deed. All but a suspension ask for a proof (`step-up.tsx`). */
export function stateDeedRoutes(subject: Subject): readonly Route[] {
  const { noun, one, params } = subject;
  return Object.entries(subject.deeds).flatMap(([name, deed]) => {
    const path = `${subject.path}/${name}` as const;
    const about = { params, path, summary: `${deed.label} ${one}` };
    return [
      page({ ...about, id: `console_ask_${name}_${noun}` }, (visit) => {
        return asked(visit, subject, name, deed);
      }),
      form({ ...about, id: `console_${name}_${noun}` }, async (visit, sent) => {
        const unproved = name === "suspend" ? null : proofPage(visit, sent, null);
        return unproved ?? done(visit, subject, deed, sent);
      }),
    ];
  });
}

async function asked(visit: Visit<"id">, subject: Subject, name: string, deed: StateDeed) {
  const { label, effect } = deed;
  const found = await subject.find(visit);
  const origin = subject.originOf(visit);
  if (!found.ok) return notDone(visit, origin, label, found.error);
  return askedPage(visit, {
    ...{ ...origin, title: `${label} this ${subject.noun}?`, about: found.data.name },
    ...{ to: `${origin.back}/${name}`, button: label, children: <p>{effect}</p> },
  });
}

async function done(
  visit: Visit<"id">,
  { originOf }: Subject,
  { label, call }: StateDeed,
  sent: Form,
): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const answer = await ask(visit, { ...call, params: { id }, headers: keyHeader(sent) });
  const origin = originOf(visit);
  if (!answer.ok) return notDone(visit, origin, `${label}: not done`, answer.error);
  return { goTo: origin.back };
}
