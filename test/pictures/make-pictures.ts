/**
 * Takes the pictures of `src/publish/docs/pictures`: seven pages, each light and dark. Run it when
 * a page has changed its looks: `npx bun test/pictures/make-pictures.ts`. It takes some minutes.
 */
import { Service } from "../support/service.ts";
import { ShiftedClock } from "../support/shifted-clock.ts";
import { takeAll } from "./camera.ts";
import { FIRST_DAY_MS, setTo, Weeks } from "./scene.ts";

const clock = new ShiftedClock();
const nowMs = Date.now;
Date.now = () => nowMs() + clock.aheadMs;
setTo(clock, FIRST_DAY_MS);
const service = await Service.start({
  ...clock.env,
  ...{ API_PROCESSES: "1", WEBHOOKS_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE_S: "0,1" },
});
try {
  const scene = await new Weeks(service, clock).live();
  await takeAll(service, scene);
  await scene.receiver.stop();
} finally {
  await service.stop();
  clock.close();
}
