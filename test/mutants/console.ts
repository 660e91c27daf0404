/** Bugs in the pages for operators. */
import type { ByKiller } from "./mutant.ts";

export const IN_THE_CONSOLE: ByKiller = {
  "src/console/frame/form.test.ts": [
    {
      name: "a form's token opens every form of its session",
      in: "src/console/frame/form.ts formToken",
      instead: ["session: id_hash, path", 'session: id_hash, path: ""'],
      test: "a token is of one session and one address",
    },
    {
      name: "a form's token is of every session",
      in: "src/console/frame/form.ts formToken",
      instead: ["session: id_hash", 'session: ""'],
      test: "a token is of one session and one address",
    },
  ],
  "src/console/frame/waiting-lists.test.ts": [
    {
      name: "the pages of one list of a page turn those of the others",
      in: "src/console/frame/waiting-lists.tsx partOf",
      instead: [", skipName(name))", ")"],
      test: "each list of a page has its own pages, and every row is on one of them",
    },
    {
      name: "the last day of the filter is left out",
      in: "src/console/frame/waiting-lists.tsx untilOf",
      instead: ['"until", 1', '"until", 0'],
      test: "both days of the filter are whole days, and what is no day is none",
    },
  ],
  "src/console/frame/kept-form.test.ts": [
    {
      name: "the operator's secret is written into a kept form",
      in: "src/console/frame/kept-form.tsx NOT_KEPT",
      drop: "PROOF_FIELD",
      test: "a form whose session ended is kept without its token and proofs",
    },
  ],
  "src/console/frame/api.test.ts": [
    {
      name: "a payment without a verdict was not made",
      in: "src/console/frame/api.ts openErrorOf",
      instead: ['if (error.code === "payment_timeout") return true;', ""],
      test: "a write without an outcome is open, and so is a payment without a verdict",
    },
    {
      name: "a trial may have changed something",
      in: "src/console/frame/api.ts openErrorOf",
      instead: [" || isTrial", ""],
      test: "what was read, tried or refused leaves nothing open",
    },
  ],
  "src/access/control/console-sessions.test.ts": [
    {
      name: "a busy session never ends",
      in: "src/access/control/console-sessions.ts ConsoleSessions.find",
      instead: ["nowMs - SESSION_TTL_MS", "0"],
      test: "an idle session ends; one that is used goes on to its last hour",
    },
    {
      name: "an old code starts a session",
      in: "src/access/control/console-sessions.ts ConsoleSessions.takeCode",
      instead: ["this.#hash(code), nowMs", "this.#hash(code), 0"],
      test: "a code starts one session, in time",
    },
    {
      name: "what the file stores is the session",
      in: "src/access/control/console-sessions.ts ConsoleSessions.open",
      instead: ["run(this.#hash(id),", "run(id,"],
      test: "an idle session ends; one that is used goes on to its last hour",
    },
  ],
  "src/console/calendar/staged.test.ts": [
    {
      name: "an unchanged cell is a change",
      in: "src/console/calendar/staged.ts cellChanges",
      instead: ["after !== before", "true"],
      test: "cells are changes where their value is another one, whatever else the form has",
    },
    {
      name: "nights with a gap are one range",
      in: "src/console/calendar/changes.ts runsOf",
      instead: ["dayOf(last.to) + 1 === dayOf(date)", "true"],
      test: "following nights with one value are one range of the update",
    },
  ],
};
