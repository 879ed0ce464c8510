/**
 * `npm run dashboard`: the dashboard while it is being written. An instance on a simulated engine, filled with examples,
 * and its pages from Vite, which shows a change at once. `--port`: where (5173); `--empty`: an instance nobody has claimed.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADMIN, bootDaemon, LateClock, seed, seedData, seedHistory, seedRegistry } from '@davit/testkit';
import { createServer } from 'vite';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '5173' }, empty: { type: 'boolean', default: false } },
});
/** How long the instance has been there already. */
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

/** With examples, and with visitors who keep coming. */
async function fill(): Promise<void> {
  await seed(daemon);
  await seedRegistry(daemon);
  await seedData(daemon);
  const visitors = await seedHistory(daemon, clock);
  setInterval(() => visitors.come(clock.now(), VISITS_MS / 1_000), VISITS_MS).unref();
}
