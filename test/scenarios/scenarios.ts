/**
 * Every code that a call can be refused with, each by one scene: the request, its refusal, and the
 * way out, all over HTTP.
 */
import { isSealed, REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import type { NextAction } from "../../src/actions/next-action.ts";
import { ROUTES } from "../../src/app.ts";
import type { Answer } from "../support/answer.ts";
import { createHotel, type Hotel, newKey, stayRequest } from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { LASTING } from "../support/lasting-scenes.ts";
import { type Exchange, offered, watch } from "../support/literal.ts";
import { BRIEF, BRIEF_SETTINGS, OTHERS } from "../support/other-scenes.ts";
import { PASSING } from "../support/passing-scenes.ts";
import type { Scene, Setting } from "../support/scenes.ts";
import { Service } from "../support/service.ts";
import { UNDECLARED, UNMET } from "../support/unreached.ts";

/** How a code is produced. */
interface Scenario {
  readonly code: RefusalCode;
  /** What it is refused for. */
  readonly name: string;
  readonly setting: Setting;
  /** It needs `BRIEF_SETTINGS`. */
  readonly isBrief: boolean;
}

/** Codes that a call can be refused with, in the order of the contract. */
export const REACHABLE = REFUSAL_CODES.filter((code) => !(code in UNMET || code in UNDECLARED));

const SCENES = Object.entries({ ...PASSING, ...LASTING, ...OTHERS, ...BRIEF });

/** The first scene of each reachable code. */
export const SCENARIOS: readonly Scenario[] = REACHABLE.flatMap((code) => {
  const found = SCENES.find(([, [of]]) => of === code);
  if (found === undefined) return [];
  const [name, [, setting]] = found;
  return [{ code, name, setting, isBrief: name in BRIEF }];
});

/** A call on the way out. */
export interface Step {
  /** Of the next action; `again` is the refused call when its cause is gone. */
  readonly rel: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface Played {
  readonly code: RefusalCode;
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly status: number;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** All that the refusal offers. */
  readonly offers: readonly NextAction[];
  readonly recovery: readonly Step[];
}

/** A code that was not produced, or whose way out does not lead on. */
export interface Failed {
  readonly code: RefusalCode;
  readonly problem: string;
}

/**
 * Plays the scenarios of the codes on a service of their own, and passes on what each came to. The
 * brief ones come last: their settings end with the last of them.
 */
export async function playAll(
  codes: readonly RefusalCode[],
  onPlayed: (played: Played | Failed) => void,
): Promise<void> {
  const chosen = SCENARIOS.filter(({ code }) => codes.includes(code));
  for (const code of codes) {
    if (!chosen.some((one) => one.code === code)) {
      onPlayed({ code, problem: "no scene produces it" });
    }
  }
  if (chosen.length === 0) return;
  const service = await Service.start({ API_PROCESSES: "1" });
  try {
    const hotel = await createHotel(service, { units: [500] });
    const { last } = watch(service);
    const play = async (chosen: readonly Scenario[]) => {
      for (const scenario of chosen) onPlayed(await playOne(service, hotel, scenario, last));
    };
    await play(chosen.filter(({ isBrief }) => !isBrief));
    const brief = chosen.filter(({ isBrief }) => isBrief);
    if (brief.length === 0) return;
    await service.restart(BRIEF_SETTINGS);
    await play(brief);
  } finally {
    await service.stop();
  }
}

/** Plays a scenario on a service whose exchanges are noted; an error is what it failed with. */
export async function playOne(
  service: Service,
  hotel: Hotel,
  { code, name, setting }: Scenario,
  last: () => Exchange,
): Promise<Played | Failed> {
  try {
    const scene = await setting(service, hotel);
    const key = newKey();
    const answer = await scene.refused(key);
    const { message, detail, next_actions } = answer.refused(code);
    const exchange = last();
    const { method, path, options } = exchange;
    const { body } = options;
    const recovery = await recovered(service, hotel, { exchange, scene, code, key, last });
    return {
      ...{ code, name, request: { method, path, ...(body !== undefined && { body }) } },
      ...{ status: answer.status, message, detail, offers: next_actions, recovery },
    };
  } catch (error) {
    return { code, problem: error instanceof Error ? error.message : String(error) };
  }
}

interface Refused {
  readonly exchange: Exchange;
  readonly scene: Scene;
  readonly code: RefusalCode;
  readonly key: string;
  readonly last: () => Exchange;
}

/**
 * Follows the first call that the refusal offers, as it stands. A call that only reads, or `retry`,
 * is followed by the refused call when its cause is gone.
 *
 * @throws Error when one of them is refused.
 */
async function recovered(service: Service, hotel: Hotel, refused: Refused): Promise<Step[]> {
  const { exchange, scene, code, key, last } = refused;
  const [first] = offered(exchange.answer);
  const steps: Step[] = [];
  if (first !== undefined && first.rel !== "retry") {
    const sent = { path: first.href, valid: stayRequest(hotel) };
    const answer = await follow(service, first, callerOf(service, exchange, first), sent);
    steps.push(stepOf(first.rel, last(), answer));
    if (!isRead(first)) return steps;
  }
  await scene.mend?.();
  const again = await (scene.after ?? scene.refused)(isSealed(code) ? newKey() : key);
  steps.push(stepOf(first?.rel === "retry" ? "retry" : "again", last(), again));
  return steps;
}

function isRead({ method, href }: NextAction): boolean {
  return method === "GET" || href === "/v1/search";
}

/** Whoever was refused; without a credential, the one that the call needs. */
function callerOf({ demo }: Service, { agent }: Exchange, { method, href }: NextAction) {
  const route = ROUTES.match(method, href.split("?")[0]!);
  return agent ?? (route?.access === "public" ? null : demo.agent);
}

/** The report of a service that is not ready, which names what is missing. */
function isReport({ status }: Answer, { path }: Exchange): boolean {
  return path === "/readyz" && status === 503;
}

function stepOf(rel: string, exchange: Exchange, answer: Answer): Step {
  const { method, path } = exchange;
  const { status } = answer;
  if (status < 300 || isReport(answer, exchange)) return { rel, method, path, status };
  throw new Error(`${rel} ${answer.call}: ${answer.status} ${answer.text.slice(0, 400)}`);
}
