/**
 * Measures the processor time that the daemon needs for the metrics of 200 replicas. The result is its processor time
 * at an interval of 10 s, minus that at an interval of 300 s. Rounds alternate between both intervals, so that other
 * load of the machine affects both. The daemon reads the metrics from the kernel. The details contain the processor
 * time of the engine, and its processor time if the daemon requested the metrics from it.
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
/** Pause after a start, so that its work is not measured: DNS names, routes, the first inspection of each container. */
const SETTLE_S = { short: 5, usual: 20, long: 20 };
const SHORT_INTERVAL_S = 10;
const LONG_INTERVAL_S = 300;
const LIMIT_PERCENT = 3;

const form = formOf();
const count = APPS[form] * SCALE[form];
await using instance = await startInstance();
const [image = '', tag = ''] = (await testImage(instance.docker, 'silent')).split(':');
for (let n = 1; n <= APPS[form]; n += 1) {
  const params = { project: `bench${n}`, environment: 'production', app: 'quiet' };
  // All replicas of an app together may have at most 4,096 processes.
  await instance.createApp(params, { image, port: null, scale: SCALE[form], limits: { pids: 64 } });
  const { status, error, duration_ms } = await instance.deploy(params, tag);
  if (status !== 'succeeded') throw new Error(`deploy ${params.project}: ${error}`);
  say(`${SCALE[form]} replicas started in ${Math.round((duration_ms ?? 0) / 1000)} s`);
}

/** Processor time in percent of a core. */
interface Used {
  daemon: number;
  engine: number;
}

const frequent: Used[] = [];
const rare: Used[] = [];
for (let round = 1; round <= ROUNDS[form]; round += 1) {
  rare.push(await measure(LONG_INTERVAL_S));
  frequent.push(await measure(SHORT_INTERVAL_S));
}
const daemonMib = await residentMib(instance.pid);
const engineStats = await measureEngineStats(instance);
const cost = rounded(median(frequent.map(({ daemon }) => daemon)) - median(rare.map(({ daemon }) => daemon)));

await conclude(
  {
    name: 'metrics',
    promise: `Processor time of the daemon to measure ${count} replicas every ${SHORT_INTERVAL_S} s`,
    limit: `≤ ${LIMIT_PERCENT} % of a core`,
    value: cost,
    unit: '% of a core',
    ok: cost <= LIMIT_PERCENT,
    details: {
      whole_daemon_with_the_short_interval: percents(frequent, 'daemon'),
      whole_daemon_with_the_long_interval: percents(rare, 'daemon'),
      engine_with_the_short_interval: percents(frequent, 'engine'),
      engine_with_the_long_interval: percents(rare, 'engine'),
      engine_with_metrics_requests: `${engineStats.percent} % of a core (${engineStats.ms} ms per round)`,
      daemon_mib: rounded(daemonMib),
      watched: `${ROUNDS[form]} × ${SECONDS[form]} s each`,
    },
  },
  form,
);

/** Restarts the instance with an interval, waits until the start is complete, and measures the processor time. */
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

/**
 * Measures the processor time of the engine for one stats request per replica.
 * @returns percent of a core if all replicas are requested once per interval, and milliseconds
 */
async function measureEngineStats({ docker, id }: Instance): Promise<{ percent: number; ms: number }> {
  await using client = createDockerClient(null);
  const filters = { label: [`${LABEL.instance}=${id}`, `${LABEL.kind}=app`] };
  const ids = (await docker.listContainers({ filters })).map(({ Id }) => Id);
  const engines = await enginePids();
  const before = await cpuMs(engines);
  const query = { stream: false, 'one-shot': true };
  for (const one of ids) await client.call({ doing: 'read stats', path: `/containers/${one}/stats`, query });
  const ms = (await cpuMs(engines)) - before;
  return { percent: rounded((ms / (SHORT_INTERVAL_S * 1_000)) * 100), ms };
}

/** Returns the process ids of dockerd and containerd. The measurement includes all their other work. */
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

function percents(used: Used[], field: keyof Used): string {
  return used.map((one) => `${one[field]} %`).join(', ');
}
