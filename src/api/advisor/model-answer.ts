/** The answer of the tenant's model, or the reason for the rules' answer. */
import { todayIn } from "../../../engine/core/calendar.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { type AiConfig, aiConfigOf, missingForModel } from "../../access/control/ai-config.ts";
import type { Advice } from "../../advisor/advise.ts";
import { allFacts } from "../../advisor/facts.ts";
import { callModel, promptOf } from "../../advisor/model/call.ts";
import { groundingFault } from "../../advisor/model/grounding.ts";
import type { AnswerSource, Session } from "../../advisor/sessions.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";

type Answered = Pick<Advice, "message" | "grounded_facts"> & AnswerSource;

const byRules = ({ message, grounded_facts }: Advice, reason: string | null): Answered => {
  return { message, grounded_facts, answered_by: "rules", fallback_reason: reason };
};

/** The model's text if it is grounded, else the rules' answer. */
export async function answerOf(
  call: Call,
  asked: { readonly session: Session; readonly property: PropertyEntry; readonly text: string },
  advice: Advice,
): Promise<Answered | Refusal> {
  const { context, principal } = call;
  const config = aiConfigOf(context.store, context.keys.encryption, principal);
  if (!config.enabled || config.provider === "rules") return byRules(advice, null);
  const missing = missingForModel(config);
  if (missing !== null) {
    return refuse("service_not_configured", { missing: `ai-config: ${missing}` });
  }
  const { allowed_topics } = config;
  const isAllowed =
    allowed_topics.length === 0 ||
    (advice.topics.length > 0 && advice.topics.every((topic) => allowed_topics.includes(topic)));
  if (!isAllowed) return byRules(advice, "topic_not_allowed");
  const nowMs = context.engineNow();
  if (!context.advisor.countModelCall(principal, nowMs, config.max_calls_per_day)) {
    return byRules(advice, "daily_limit");
  }
  return modelAnswer(call, config, asked, advice);
}

async function modelAnswer(
  { context, principal }: Call,
  config: AiConfig,
  { session, property, text }: { session: Session; property: PropertyEntry; text: string },
  advice: Advice,
): Promise<Answered> {
  const facts = [...new Set([...advice.grounded_facts, ...allFacts(property.tree)])];
  const { endpoint, model, secret } = config;
  const terms = {
    ...{ endpoint: endpoint!, model: model!, secret: secret!, temperature: config.temperature },
    allowPrivate: context.config.webhooksAllowPrivate,
  };
  const answer = await callModel(terms, promptOf(config, facts, session.messages, text));
  if (typeof answer === "string") return byRules(advice, answer);
  const todayDay = todayIn(property.tree.timezone, context.timeIn(principal));
  const fault = groundingFault(answer, { facts, language: advice.language, todayDay });
  if (fault !== null) return byRules(advice, `ungrounded_${fault}`);
  const { disclosure } = config;
  const message = disclosure === null ? answer.message : `${answer.message}\n${disclosure}`;
  const used = [...new Set(answer.used_facts)];
  return { message, grounded_facts: used, answered_by: "model", fallback_reason: null };
}
