/** How the advisor answers, as operators see it. */
import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import { named, orNull, Version } from "../../http/schema/answer-parts.ts";

const Provider = vocabulary(
  "AiProvider",
  ["rules", "http"],
  "`rules`: this service. `http`: a model behind a chat completions endpoint.",
);

export const AiConfig = named("AiConfig", "The advisor's configuration for the tenant and mode.", {
  enabled: Type.Boolean({
    description: "Whether the provider is used; otherwise the rules answer.",
  }),
  provider: Provider,
  model: orNull(Type.String({ description: "Name of the model." })),
  endpoint: orNull(Type.String({ description: "Address of a chat completions endpoint." })),
  temperature: Type.Number({ description: "0 to 2." }),
  max_turns: Type.Integer({ description: "Earlier questions sent to the model." }),
  allowed_topics: Type.Array(Type.String(), {
    description: "Topics that the model may answer; empty for all.",
  }),
  tone: orNull(Type.String({ description: "Tone of the model." })),
  disclosure: orNull(Type.String({ description: "Appended to every answer of the model." })),
  max_calls_per_day: Type.Integer({ description: "Maximum calls of the model per UTC day." }),
  has_secret: Type.Boolean({ description: "Whether the endpoint's key is stored; never shown." }),
  version: Version,
});
