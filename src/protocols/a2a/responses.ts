/** The card of A2A. */
import { Type } from "@sinclair/typebox";
import { extensible } from "../../http/schema/answer-parts.ts";

const Text = Type.String();
const Texts = Type.Array(Text);
const Address = Type.String({ format: "uri" });

export const A2aCard = extensible("A2aAgentCard", "The card of the Agent2Agent protocol.", {
  name: Text,
  description: Text,
  url: Address,
  version: Text,
  capabilities: extensible("A2aCapabilities", "What of the protocol is spoken.", {
    streaming: Type.Boolean(),
    pushNotifications: Type.Boolean(),
    stateTransitionHistory: Type.Optional(Type.Boolean()),
  }),
  skills: Type.Array(
    extensible("A2aSkill", "Something the agent can do.", {
      id: Text,
      name: Text,
      description: Text,
      tags: Texts,
      examples: Texts,
    }),
  ),
  defaultInputModes: Texts,
  defaultOutputModes: Texts,
  authentication: Type.Object({ schemes: Texts }),
});
