/** How the advisor answers, as operators see it. */
import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import { named, orNull, Version } from "../../http/schema/answer-parts.ts";

const Provider = vocabulary(
  "AiProvider",
  ["rules", "http"],
  "`rules`: this service alone. `http`: a model behind a chat completions endpoint.",
);

export const AiConfig = named("AiConfig", "How the advisor answers for the tenant and mode.", {
  enabled: Type.Boolean({ description: "Whether the provider is asked; the rules answer if not." }),
  provider: Provider,
  model: orNull(Type.String({ description: "Name of the model." })),
  endpoint: orNull(Type.String({ description: "Address of a chat completions endpoint." })),
  temperature: Type.Number({ description: "0 to 2." }),
  max_turns: Type.Integer({ description: "Earlier questions that the model is shown." }),
  allowed_topics: Type.Array(Type.String(), {
    description: "Topics that the model may answer; empty for all.",
  }),
  tone: orNull(Type.String({ description: "How the model should sound." })),
  disclosure: orNull(Type.String({ description: "Told with every answer of the model." })),
  max_calls_per_day: Type.Integer({ description: "Calls of the model on a day of UTC." }),
  has_secret: Type.Boolean({ description: "Whether the endpoint's key is stored; never shown." }),
  version: Version,
});
