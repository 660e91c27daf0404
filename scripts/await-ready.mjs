/**
 * Exits with 0 as soon as the service of this environment is ready, or with 1 after a minute; with
 * `--once` it asks once. The systemd unit and the container's health check use it.
 */
const LIMIT_MS = 60_000;
const PAUSE_MS = 200;

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
const host = /^(0\.0\.0\.0|::)$/.test(HOST) ? "127.0.0.1" : HOST;
const address = `http://${host.includes(":") ? `[${host}]` : host}:${PORT}/readyz`;

async function isReady() {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

const deadlineMs = performance.now() + (process.argv.includes("--once") ? 0 : LIMIT_MS);
let ready = await isReady();
while (!ready && performance.now() < deadlineMs) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  ready = await isReady();
}
process.exitCode = ready ? 0 : 1;
