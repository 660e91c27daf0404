/**
 * The A2A agent of one request, so credentials cannot leak between callers. It keeps no tasks:
 * messages answer messages, and every task is unknown.
 */
import { AgentCard, type Message, type SendMessageRequest } from "@a2a-js/sdk";
import {
  A2AError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { Call } from "../../http/call.ts";
import { runTool } from "../tools/run.ts";
import { a2aCard } from "./cards.ts";
import { helpAnswer, readMessage, skillAnswer } from "./messages.ts";

/** Default page size of a task list (A2A §3.1.4). */
const PAGE_SIZE = 50;

/**
 * The operations of A2A §3 for the admitted caller. `onBug` receives errors that are not A2A
 * errors, which the SDK would otherwise send.
 */
export function agentFor(call: Call, onBug: (bug: unknown) => void): A2ARequestHandler {
  return {
    getAgentCard: async () => AgentCard.fromJSON((await a2aCard(call.context)).card),
    getAuthenticatedExtendedAgentCard: async () => {
      throw new UnsupportedOperationError("There is no extended card.");
    },
    sendMessage: (request, context) =>
      answerMessage(call, request, context).catch((error) => {
        if (!(error instanceof A2AError)) onBug(error);
        throw error;
      }),
    sendMessageStream: noStream,
    resubscribe: noStream,
    getTask: noTask,
    cancelTask: noTask,
    listTasks: async ({ pageSize = PAGE_SIZE }) => {
      if (pageSize < 1 || pageSize > 100) throw new RequestMalformedError("pageSize: 1 to 100.");
      return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
    },
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}

function noStream(): never {
  throw new UnsupportedOperationError("Streaming is not supported.");
}

async function noTask({ id }: { readonly id: string }): Promise<never> {
  if (id.trim() === "") throw new RequestMalformedError("The task's id is missing.");
  throw new TaskNotFoundError();
}

async function noPush(): Promise<never> {
  throw new PushNotificationNotSupportedError();
}

async function answerMessage(
  call: Call,
  { message }: SendMessageRequest,
  { tenant }: ServerCallContext,
): Promise<Message> {
  if (!message) throw new RequestMalformedError("params.message is missing.");
  if (tenant !== undefined && tenant !== call.principal.tenant_id) {
    throw new RequestMalformedError("params.tenant is not the tenant of the credential.");
  }
  if (message.taskId !== "") throw new TaskNotFoundError();
  const { routes } = call.context;
  const skillCall = readMessage(routes, message);
  if (skillCall === null) return helpAnswer(routes, message.contextId);
  const delegation = call.request.headers.get("x-delegated-user");
  const sent = { delegation, traceparent: null };
  const answer = await runTool(call, skillCall.tool, skillCall.input, sent);
  return skillAnswer(message.contextId, skillCall, answer);
}
