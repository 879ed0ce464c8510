/**
 * Measures the proxy on one core with 5,000 domains, each with its own certificate, and compares the response time with
 * ten domains. Also measures the sync of all domains, the sync without changes, the cold start, TLS handshakes and
 * memory. Finally, adds further domains with certificates under load and counts the failed requests.
 */

import { readdir, readFile } from 'node:fs/promises';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import { createAccessLogReader } from '../packages/daemon/src/adapters/proxy/haproxy/access-log-reader.ts';
import type { Proxy, RouteTable } from '../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp } from '../test/support/proxy-apps.ts';
import { shakeHands } from '../test/support/proxy-clients.ts';
import { backend, certificate, ProxyHarness, server, tableOf } from '../test/support/proxy-harness.ts';
import { startLoad } from '../test/support/proxy-load.ts';
import { manyCertificates } from './support/many-certificates.ts';
import { startQuickApp } from './support/plain-haproxy.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, median, quantile, rounded, say } from './support/result.ts';
import { type WrkRun, wrkRequests } from './support/wrk.ts';

const DOMAINS = { short: 500, usual: 5_000, long: 5_000 };
const FEW = 10;
const SECONDS = { short: 3, usual: 10, long: 20 };
const ROUNDS = { short: 1, usual: 3, long: 5 };
const HANDSHAKES = { short: 50, usual: 400, long: 1_000 };
const ADDED = { short: 3, usual: 20, long: 50 };
const MAX_P99_RATIO = 1.5;
const HOST = 'localhost';
const BUSY = 'busy.davit.test';
/** Processor cores of the proxy and of the load generator. */
const CORE = { proxy: '0', generator: 1 } as const;

const form = formOf();
await using harness = await ProxyHarness.create();
const app = await startQuickApp(harness);
const hosts = Array.from({ length: DOMAINS[form] }, (_, n) => `d${n}.davit.test`);
const certificates = await manyCertificates('d', hosts);
const own = await certificate('own', [HOST]);
const accessLogOptions = { port: await freePort(), token: 'bench', settle: () => undefined };
const proxy = harness.connect({ accessLog: accessLogOptions });
await using log = createAccessLogReader(accessLogOptions);
await log.start({ take: () => undefined, settle: () => undefined });

const few = await figures(proxy, tableFor(FEW));
const many = await figures(proxy, tableFor(hosts.length));
const added = await addUnderLoad(proxy);
const { reloads } = await proxy.status();
const ratio = many.p99 / few.p99;

await conclude(
  {
    name: 'domains',
    promise: `Response time of the proxy with ${hosts.length} domains, compared with ${FEW} domains, on one core, p99`,
    limit: `≤ ${MAX_P99_RATIO} ×`,
    value: rounded(ratio),
    unit: '×',
    ok: ratio <= MAX_P99_RATIO,
    details: {
      p99_ms: rounded(many.p99),
      p99_ms_with_few: rounded(few.p99),
      requests_per_second: Math.round(many.perSecond),
      requests_per_second_with_few: Math.round(few.perSecond),
      handshake_p99_ms: rounded(many.handshake),
      handshake_p99_ms_with_few: rounded(few.handshake),
      memory_mib: rounded(many.memoryMib),
      memory_mib_with_few: rounded(few.memoryMib),
      first_sync_of_all_s: rounded(many.firstSyncMs / 1000),
      sync_that_changes_nothing_ms: Math.round(many.idleSyncMs),
      cold_start_s: rounded(many.coldStartMs / 1000),
    },
  },
  form,
);
await conclude(
  {
    name: 'domains-added',
    promise: `Failed requests while ${ADDED[form]} domains with certificates are added under load to ${hosts.length}`,
    limit: '0, no reload',
    value: added.failures,
    unit: 'failed requests',
    ok: added.failures === 0 && reloads === 0,
    details: { median_ms_to_add_one: Math.round(added.medianMs), reloads },
  },
  form,
);

function tableFor(count: number): RouteTable {
  return {
    ...tableOf(backend(1, [server({ name: 'i1', port: app.port })])),
    domain: 'davit.test',
    hosts: [HOST, ...hosts.slice(0, count)].map((host) => ({ host, slot: 1 })),
    certificates: [own, ...certificates.slice(0, count)],
  };
}

/** Syncs the domains of a table, and measures the proxy with them. */
async function figures(of: Proxy, table: RouteTable) {
  const names = table.hosts.map(({ host }) => host);
  const firstSyncMs = await took(() => (table.hosts.length > FEW + 1 ? of.sync(table) : of.ensure(table)));
  const idleSyncMs = await took(() => of.sync(table));
  const coldStartMs = await coldStart(names.at(-1) ?? HOST);
  const requests = names.map((Host) => ({ path: '/', headers: { Host } }));
  const runs: WrkRun[] = [];
  for (let round = 0; round < ROUNDS[form]; round += 1) {
    runs.push(
      await wrkRequests(`https://${HOST}:${harness.httpsPort}/`, requests, {
        seconds: SECONDS[form],
        core: CORE.generator,
      }),
    );
  }
  const perSecond = median(runs.map((run) => run.perSecond));
  const p99 = median(runs.map((run) => run.p99));
  const handshakes: number[] = [];
  for (let n = 0; n < HANDSHAKES[form]; n += 1) {
    const name = names[(n * 7) % names.length] ?? HOST;
    handshakes.push(await took(() => shakeHands(harness.httpsPort, name)));
  }
  const memoryMib = await residentMib(await workerPid());
  say(
    `${names.length - 1} domains: ${Math.round(perSecond)} requests/s, p99 ${p99.toFixed(2)} ms, ${memoryMib.toFixed(0)} MiB`,
  );
  return { firstSyncMs, idleSyncMs, coldStartMs, perSecond, p99, handshake: quantile(handshakes, 0.99), memoryMib };
}

/**
 * Kills the proxy, which then restarts on one core.
 * @returns milliseconds until the new process answers
 */
async function coldStart(host: string): Promise<number> {
  const [container] = (await harness.containers()).filter(({ Names }) =>
    Names.some((name) => name.includes('-proxy-')),
  );
  const path = `/containers/${container?.Id}/update`;
  await harness.docker.call({ doing: 'limit cores', method: 'POST', path, body: { CpusetCpus: CORE.proxy } });
  const before = await masterPid(container?.Id ?? '');
  process.kill(before, 'SIGKILL');
  return took(() =>
    until('the new process of the proxy answers', async () => {
      const answer = await harness.getSecurely(host).catch(() => null);
      return answer?.status === 200 && (await masterPid(container?.Id ?? '')) !== before;
    }),
  );
}

async function masterPid(id: string): Promise<number> {
  const found = await harness.docker.call<{ State: { Pid: number } }>({
    doing: 'inspect the proxy',
    path: `/containers/${id}/json`,
  });
  return found.State.Pid;
}

/** Returns the id of the process that handles the requests, which is the child of the master process. */
async function workerPid(): Promise<number> {
  const [container] = (await harness.containers()).filter(({ Names }) =>
    Names.some((name) => name.includes('-proxy-')),
  );
  const parent = await masterPid(container?.Id ?? '');
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(parent)) return Number(pid);
  }
  throw new Error('the proxy has no worker process');
}

async function addUnderLoad(of: Proxy): Promise<{ failures: number; medianMs: number }> {
  const table = tableFor(hosts.length);
  const names = Array.from({ length: ADDED[form] }, (_, n) => `new${n}.davit.test`);
  const issued = await manyCertificates('new', names);
  // This app reads request bodies, because the load also has POST requests with a body.
  await using busy = await startApp();
  table.backends.push(backend(2, [server(busy)]));
  table.hosts.push({ host: BUSY, slot: 2 });
  await of.sync(table);
  const load = startLoad(harness.httpsPort, BUSY, true);
  const ms: number[] = [];
  for (const [n, host] of names.entries()) {
    const next = issued[n];
    if (next === undefined) break;
    table.hosts.push({ host, slot: 1 });
    table.certificates?.push(next);
    ms.push(await took(() => of.sync(table)));
    const { subject } = await shakeHands(harness.httpsPort, host);
    if (subject !== host) throw new Error(`the proxy sent the certificate of ${subject} for ${host}`);
  }
  const { failures } = await load.stop();
  for (const failure of failures.slice(0, 5)) say(failure);
  return { failures: failures.length, medianMs: median(ms) };
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
