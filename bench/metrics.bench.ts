/**
 * What measuring 200 real replicas costs: the daemon's processor time while it measures them every ten seconds, against
 * the same daemon that measures them every five minutes. Rounds alternate, so that whatever else the machine does falls
 * on both. Beside it the engine's own time, and what it would cost to ask the engine instead of the kernel.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDockerClient } from '../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { LABEL } from '../packages/daemon/src/adapters/engine/labels.ts';
import { SETTINGS_KEY } from '../packages/daemon/src/config/instance-settings.ts';
import { Store } from '../packages/daemon/src/db/store.ts';
import { writeSetting } from '../packages/daemon/src/db/tables/settings.ts';
import { testImage } from '../test/support/docker-images.ts';
import { type Instance, startInstance } from '../test/support/instance.ts';
import { cpuMs, residentMib } from './support/process-use.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const APPS = { short: 2, usual: 4, long: 4 };
const SCALE = { short: 10, usual: 50, long: 50 };
const ROUNDS = { short: 1, usual: 2, long: 5 };
const SECONDS = { short: 20, usual: 60, long: 60 };
/** What a start leaves to be done: names, routes, the first look at every container. */
const SETTLE_S = { short: 5, usual: 20, long: 20 };
const OFTEN_S = 10;
const RARELY_S = 300;
const LIMIT_PERCENT = 3;

const form = formOf();
const count = APPS[form] * SCALE[form];
await using instance = await startInstance();
const [image = '', tag = ''] = (await testImage(instance.docker, 'silent')).split(':');
for (let n = 1; n <= APPS[form]; n += 1) {
  const params = { project: `bench${n}`, environment: 'production', app: 'quiet' };
  await instance.createApp(params, { image, port: null, scale: SCALE[form] });
  const { status, error, duration_ms } = await instance.deploy(params, tag);
  if (status !== 'succeeded') throw new Error(`deploy ${params.project}: ${error}`);
  say(`${SCALE[form]} replicas run after ${Math.round((duration_ms ?? 0) / 1000)} s`);
}

interface Used {
  daemon: number;
  engine: number;
}

const often: Used[] = [];
const rarely: Used[] = [];
for (let round = 1; round <= ROUNDS[form]; round += 1) {
  rarely.push(await measure(RARELY_S));
  often.push(await measure(OFTEN_S));
}
const daemonMib = await residentMib(instance.pid);
const engineStats = await measureEngineStats(instance);
const cost = rounded(median(often.map(({ daemon }) => daemon)) - median(rarely.map(({ daemon }) => daemon)));

await conclude(
  {
    name: 'metrics',
    promise: `Processor time of the daemon to measure ${count} replicas every ${OFTEN_S} s`,
    limit: `≤ ${LIMIT_PERCENT} % of a core`,
    value: cost,
    unit: '% of a core',
    ok: cost <= LIMIT_PERCENT,
    details: {
      whole_daemon_while_measuring: percents(often, 'daemon'),
      whole_daemon_otherwise: percents(rarely, 'daemon'),
      engine_while_measuring: percents(often, 'engine'),
      engine_otherwise: percents(rarely, 'engine'),
      engine_if_it_were_asked_instead: `${engineStats.percent} % of a core (${engineStats.ms} ms a round)`,
      daemon_mib: rounded(daemonMib),
      watched: `${ROUNDS[form]} × ${SECONDS[form]} s each`,
    },
  },
  form,
);

/** Restarts the instance with this interval, waits until it is at rest, and watches it. */
async function measure(intervalS: number): Promise<Used> {
  await instance.stop();
  {
    using store = new Store(join(instance.dataDir, 'davit.db'));
    store.tx((tx) => writeSetting(tx, SETTINGS_KEY, JSON.stringify({ metrics: { interval_s: intervalS } })));
  }
  await instance.start();
  await delay(SETTLE_S[form] * 1_000);
  const engines = await enginePids();
  const before = { daemon: await cpuMs([instance.pid]), engine: await cpuMs(engines) };
  await delay(SECONDS[form] * 1_000);
  const share = (ms: number) => rounded((ms / (SECONDS[form] * 1_000)) * 100);
  const used = {
    daemon: share((await cpuMs([instance.pid])) - before.daemon),
    engine: share((await cpuMs(engines)) - before.engine),
  };
  say(`every ${intervalS} s: daemon ${used.daemon} %, engine ${used.engine} % of a core`);
  return used;
}

/** The engine's own processor time, were it asked about every instance each time. */
async function measureEngineStats({ docker, id }: Instance): Promise<{ percent: number; ms: number }> {
  await using client = createDockerClient(null);
  const filters = { label: [`${LABEL.instance}=${id}`, `${LABEL.kind}=app`] };
  const ids = (await docker.listContainers({ filters })).map(({ Id }) => Id);
  const engines = await enginePids();
  const before = await cpuMs(engines);
  const query = { stream: false, 'one-shot': true };
  for (const one of ids) await client.call({ doing: 'read stats', path: `/containers/${one}/stats`, query });
  const ms = (await cpuMs(engines)) - before;
  return { percent: rounded((ms / (OFTEN_S * 1_000)) * 100), ms };
}

/** dockerd and containerd; what else runs on them counts too. */
async function enginePids(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      name: await readFile(`/proc/${pid}/comm`, 'latin1').catch(() => ''),
    })),
  );
  return found.filter(({ name }) => /^(dockerd|containerd)\n$/.test(name)).map(({ pid }) => pid);
}

function percents(used: Used[], whose: keyof Used): string {
  return used.map((one) => `${one[whose]} %`).join(', ');
}
