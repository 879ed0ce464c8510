/**
 * `npm run dashboard`: a development server for the dashboard. The command runs an instance with a simulated engine and
 * example data, and serves the pages with Vite, which shows changes at once. `--port` sets the port (default 5173), and
 * `--empty` starts an instance that is not claimed.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADMIN, bootDaemon, LateClock, seed, seedData, seedHistory, seedRegistry } from '@davit/testkit';
import { createServer } from 'vite';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '5173' }, empty: { type: 'boolean', default: false } },
});
/** Time in milliseconds for which the instance seems to have existed. */
const PAST_MS = 70 * 60_000;
const VISITS_MS = 2_000;
const root = join(import.meta.dirname, '../packages/dashboard');

const clock = new LateClock(values.empty ? 0 : PAST_MS);
await using daemon = await bootDaemon({ claim: !values.empty, now: clock.now });
if (!values.empty) await fill();
process.env.DAVIT_DEV_DAEMON = daemon.url;
const vite = await createServer({ root, server: { port: Number(values.port), strictPort: true, host: '127.0.0.1' } });
await vite.listen();
const as = values.empty ? `setup token ${daemon.setupToken}` : `${ADMIN.username} / ${ADMIN.password}`;
console.log(`http://127.0.0.1:${values.port}   sign in: ${as}   API: ${daemon.url}   key: ${daemon.key}`);

await new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});
await vite.close();

/** Adds example data, and visitors who continue to send requests. */
async function fill(): Promise<void> {
  await seed(daemon);
  await seedRegistry(daemon);
  await seedData(daemon);
  const visitors = await seedHistory(daemon, clock);
  setInterval(() => visitors.come(clock.now(), VISITS_MS / 1_000), VISITS_MS).unref();
}
