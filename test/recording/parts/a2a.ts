/** `POST /a2a`: every skill and method in both versions of the protocol. */
import type { Actor, Reply } from "../session.ts";
import type { World } from "../world.ts";
import { TOOLS, walkTools } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

interface Sent {
  readonly as?: Actor;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function rpc(world: World, label: string, method: unknown, params?: unknown, sent: Sent = {}) {
  const { as = world.main, version = "1.0", headers = {} } = sent;
  const body = { jsonrpc: "2.0", id: 7, method, params };
  const own = { ...(version === "" ? {} : { "a2a-version": version }), ...headers };
  return world.ask(`a2a: ${label}`, "POST /a2a", { as, headers: own, body });
}

const NEW = (...parts: unknown[]) => ({
  message: { messageId: "m-1", contextId: "ctx-1", role: "ROLE_USER", parts },
});
const OLD = (...parts: unknown[]) => ({
  message: { kind: "message", messageId: "m-1", contextId: "ctx-1", role: "user", parts },
});

/** The envelope in the answer of either version. */
function envelopeOf(reply: Reply): Json {
  const { result } = reply.json as { result?: { message?: unknown } };
  const message = (result?.message ?? result) as { parts?: { data?: Json }[] } | undefined;
  return message?.parts?.find(({ data }) => data !== undefined)?.data ?? {};
}

/** Everything that can be asked of the A2A agent. */
export async function talkA2a(world: World): Promise<void> {
  await walkTools(world, async (label, skill, input) => {
    const params = NEW({ data: { skill, input } });
    return envelopeOf(await rpc(world, `skill ${skill}, ${label}`, "SendMessage", params));
  });
  for (const skill of TOOLS) {
    const params = OLD({ kind: "data", data: { skill, input: {} } });
    await rpc(world, `skill ${skill}, 0.3`, "message/send", params, { version: "0.3" });
  }
  await sendMessages(world);
  await callMethods(world);
  await callAsOthers(world);
}

async function sendMessages(world: World): Promise<void> {
  const call = { data: { skill: "list_properties" } };
  const messages: readonly unknown[] = [
    NEW(call),
    NEW(call, { text: "please" }),
    NEW({ text: "book me a room" }),
    NEW({ data: { skill: "pay", input: [], extra: 1 } }),
    NEW({ data: 7 }),
    NEW(call, call),
    NEW({ url: "https://example.com/a.pdf" }),
    NEW({ raw: "aGk=" }),
    NEW({}),
    NEW(),
    { message: { ...NEW(call).message, messageId: "" } },
    { message: { ...NEW(call).message, contextId: undefined } },
    { message: { ...NEW(call).message, taskId: "t-1" } },
    { message: { ...NEW(call).message, role: "ROLE_KING" } },
    { ...NEW(call), tenant: world.operator.tenant_id },
    { ...NEW(call), tenant: world.unknownUuid },
    { ...NEW(call), configuration: { acceptedOutputModes: ["text/plain"] } },
    {},
    [],
    undefined,
    { message: 7 },
    { message: { parts: 7 } },
  ];
  for (const params of messages) {
    await rpc(world, "message", "SendMessage", params);
    await rpc(world, "message, 0.3", "message/send", params, { version: "0.3" });
  }
  const old = { kind: "data", data: { skill: "list_properties" } };
  for (const part of [
    old,
    { kind: "text", text: "hello" },
    { kind: "file", file: {} },
    { kind: 7 },
  ]) {
    for (const version of ["0.3", ""]) {
      await rpc(world, "message, 0.3", "message/send", OLD(part), { version });
    }
  }
}

const METHODS = [
  ...["SendMessage", "SendStreamingMessage", "GetTask", "CancelTask", "ListTasks"],
  ...["SubscribeToTask", "GetExtendedAgentCard", "CreateTaskPushNotificationConfig"],
  ...["GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "no/such", ""],
  ...["DeleteTaskPushNotificationConfig", "message/send", "message/stream", "tasks/get"],
  ...["tasks/cancel", "tasks/resubscribe", "tasks/pushNotificationConfig/set"],
  ...["tasks/pushNotificationConfig/get", "agent/getAuthenticatedExtendedCard"],
];

async function callMethods(world: World): Promise<void> {
  const params: readonly unknown[] = [{}, { id: "t-1", taskId: "t-1" }, { id: " ", pageSize: 0 }];
  for (const method of METHODS) {
    for (const version of ["1.0", "0.3"]) {
      for (const each of params) await rpc(world, "method", method, each, { version });
    }
  }
  for (const version of ["2.0", "1", "x", "1.0, 0.3"]) {
    await rpc(world, "version", "GetTask", { id: "t" }, { version });
  }
  const bodies: readonly unknown[] = [
    [{ jsonrpc: "2.0", id: 1, method: "GetTask" }],
    { jsonrpc: "1.0", id: 1, method: "GetTask" },
    { jsonrpc: "2.0", method: "GetTask" },
    { jsonrpc: "2.0", id: 1.5, method: "GetTask" },
    { jsonrpc: "2.0", id: {}, method: 7, params: 7 },
    { jsonrpc: "2.0", id: "text", method: "ListTasks", params: { pageSize: 5 } },
    { jsonrpc: "2.0", id: null, method: "ListTasks", params: { pageSize: 101 } },
  ];
  for (const body of bodies) {
    await world.ask("a2a: bad message", "POST /a2a", { headers: { "a2a-version": "1.0" }, body });
  }
}

async function callAsOthers(world: World): Promise<void> {
  const call = (skill: string, input = {}) => NEW({ data: { skill, input } });
  const search = { stay: world.stay(30), guests: { adults: 2 } };
  for (const name of ["service", "unscoped", "confined", "test", "other"]) {
    const as = world.agent(name);
    await rpc(world, "as others", "SendMessage", call("search", search), { as });
    await rpc(world, "as others", "SendMessage", call("list_properties"), { as });
    await rpc(world, "as others", "SendMessage", call("get_booking", { booking_id: "b" }), { as });
  }
  const headers = { "x-delegated-user": await world.tokens.sign() };
  const cancel = call("cancel", { booking_id: "bkg_unknown" });
  await rpc(world, "consent in a header", "SendMessage", cancel, { headers });
}
