/**
 * Which of several machines is the home of api and worker: their files are there, and on the others
 * copies of them. The engine process decides it, and its supervisor starts and ends the two.
 */
import { Candidacy } from "../../../engine/postgres/candidacy.ts";
import { Home } from "../../../engine/postgres/home.ts";
import { Session } from "../../../engine/postgres/session.ts";
import { SharedStores } from "../../../engine/postgres/shared-stores.ts";
import { CopiedStores, PassedOnStores } from "../../../engine/postgres/store-files.ts";
import { Watch } from "../../../engine/postgres/watch.ts";
import { setHome } from "../../lib/installation.ts";
import { ALONE_MESSAGE, ENDING_MESSAGE, type HomeMessage } from "../../lib/lifecycle.ts";
import { Later, type Log, type Service } from "../../lib/service.ts";

/**
 * Longer than a supervisor lets api and worker run without a sign of life, which is longer than a
 * restart of the engine process takes.
 */
const SILENT_MS = 6_000;

export interface HomeTerms {
  /** URL of the node that has the journal's session: of two primaries one is from the past. */
  readonly node: string;
  readonly dataDir: string;
  /** The name of this machine. */
  readonly me: string;
  /** What runs until the machine is the home: the worker has the files then. */
  readonly whileAway: Service;
  /** Must end the process. */
  readonly onFatal: (error: unknown) => void;
  readonly log: Log;
}

/** To be started; none for an engine without a supervisor, which could start no api. */
export async function homeParts(terms: HomeTerms): Promise<Service[]> {
  if (process.send === undefined) return [];
  const { node, dataDir, me, whileAway, onFatal, log } = terms;
  const session = await Session.open(node, "innkeep home");
  const shared = new SharedStores(session);
  const copies = new CopiedStores(dataDir, shared);
  const serving = new Later("home");
  let alone: Promise<void> | null = null;
  const isEnding = toldOfEnd();
  const follow = async (isOurs: boolean) => {
    // Api and worker may be running, after a restart of this process alone.
    if (isOurs) return;
    alone ??= untilAlone().then(() => {
      setHome(dataDir, false);
      return whileAway.start?.();
    });
    await alone;
    await copies.catchUp();
  };
  const onTaken = async (epoch: number) => {
    await whileAway.stop();
    await copies.take();
    setHome(dataDir, true);
    const stores = new PassedOnStores(dataDir, shared, epoch);
    const onAlive = () => tell({ isHome: true });
    await serving.begin(new Home({ shared, stores, epoch, isEnding, onAlive, onFatal }));
    log("info", "is the home of api and worker", { epoch });
  };
  const lease = { lease: shared, me, silentMs: SILENT_MS };
  const mayTake = () => true;
  return [
    { id: "home session", stop: () => session.close() },
    { id: "copies of stores", stop: () => copies.close() },
    new Watch(session, onFatal),
    // It is not started with the others.
    {
      id: whileAway.id,
      drain: (untilMs) => whileAway.drain?.(untilMs),
      stop: () => whileAway.stop(),
    },
    serving,
    new Candidacy({ id: "home candidacy", ...lease, follow, mayTake, onTaken, onFatal }),
  ];
}

/** Whether the supervisor has said that it ends all. */
function toldOfEnd(): () => boolean {
  let isSo = false;
  process.on("message", (message) => {
    isSo ||= Bun.deepEquals(message, ENDING_MESSAGE);
  });
  return () => isSo;
}

function tell(message: HomeMessage): void {
  process.send?.(message);
}

/** Resolves when the supervisor has ended api and worker, if they ran. */
function untilAlone(): Promise<void> {
  return new Promise((resolve) => {
    const read = (message: unknown) => {
      if (!Bun.deepEquals(message, ALONE_MESSAGE)) return;
      process.off("message", read);
      resolve();
    };
    process.on("message", read);
    tell({ isHome: false });
  });
}
