/** What is asked, in its order. The service is restarted twice, with other settings. */

import { talkA2a } from "./parts/a2a.ts";
import { administerAccess } from "./parts/access.ts";
import { replay, sendBadBodies } from "./parts/bodies.ts";
import { book } from "./parts/bookings.ts";
import { tryLuck } from "./parts/chance.ts";
import { readDocs, readDocuments } from "./parts/documents.ts";
import { askAtTheDoor } from "./parts/door.ts";
import { hold } from "./parts/holds.ts";
import { talkMcp } from "./parts/mcp.ts";
import { useOauth } from "./parts/oauth.ts";
import { liveShortly, liveWithout } from "./parts/other-settings.ts";
import { setUp } from "./parts/setup.ts";
import { shop } from "./parts/shopping.ts";
import { administerSupply } from "./parts/supply.ts";
import { askUnknownPaths, askWrongMethods } from "./parts/unrouted.ts";
import type { Session } from "./session.ts";
import { World } from "./world.ts";

/** Plays everything; `monday` is the day that all stays are counted from. */
export async function play(session: Session, monday: string): Promise<void> {
  const world = await World.open(session, monday);
  await session.tree.start();
  await readDocuments(world, "documents of an empty service");
  await setUp(world);
  await readDocuments(world);
  await readDocs(world);
  await askWrongMethods(world);
  await askUnknownPaths(world);
  await askAtTheDoor(world);
  await sendBadBodies(world);
  await replay(world);
  await administerSupply(world);
  await shop(world);
  await hold(world);
  await book(world);
  await administerAccess(world);
  await useOauth(world);
  await talkMcp(world);
  await talkA2a(world);
  await tryLuck(world);
  await liveShortly(world);
  await liveWithout(world);
}
