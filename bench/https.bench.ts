/**
 * HTTPS through the proxy as the adapter configures it for a host with a certificate (nothing but HTTPS, and HSTS that
 * says so) against a ten-line configuration by hand for the same app: 1 KiB, TLS 1.3, connections kept. Both from one
 * image, in turn, with the same generator.
 */
import { freePort } from '@davit/testkit/ports';
import { createAccessLogReader } from '../packages/daemon/src/adapters/proxy/haproxy/access-log-reader.ts';
import type { RouteTable } from '../packages/daemon/src/adapters/proxy/proxy.ts';
import { backend, certificate, ProxyHarness, rules, server, tableOf } from '../test/support/proxy-harness.ts';
import { startPeer, startQuickApp } from './support/plain-haproxy.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';
import { CLIENTS, type WrkRun, wrkRequests } from './support/wrk.ts';

const SECONDS = { short: 3, usual: 10, long: 30 };
const ROUNDS = { short: 2, usual: 5, long: 9 };
const OTHER_HOSTS = 5_000;
const LEAST_SHARE = 0.85;
const MOST_P99 = 1.3;
/** The generator asks for a name that the machine knows: it is what it sends as server name. */
const HOST = 'localhost';

const form = formOf();
await using harness = await ProxyHarness.create();
const app = await startQuickApp(harness);
const own = await certificate('own', [HOST]);
const peer = await startPeer(harness, app.port, own.pem());
const accessLogOptions = { port: await freePort(), token: 'bench', settle: () => undefined };
const proxy = harness.connect({ accessLog: accessLogOptions });
// What is told about requests is read, as the daemon does.
await using log = createAccessLogReader(accessLogOptions);
await log.start({ take: () => undefined, settle: () => undefined });

const usual = rules({ httpsOnly: true, hsts: 'max-age=31536000' });
const one: RouteTable = {
  ...tableOf(backend(1, [server({ name: 'i1', port: app.port })])),
  domain: 'davit.test',
  hosts: [{ host: HOST, slot: 1, rules: usual }],
  certificates: [own],
};
const headed: RouteTable = {
  ...one,
  hosts: [{ host: HOST, slot: 1, rules: { ...usual, headers: { 'x-a': 'b' } } }],
};
const listed: RouteTable = {
  ...one,
  hosts: [{ host: HOST, slot: 1, rules: { ...usual, allow: ['10.0.0.0/8', '127.0.0.0/8'] } }],
};
const others = Array.from({ length: OTHER_HOSTS }, (_, n) => ({ host: `h${n}.davit.test`, slot: 1 }));
const full: RouteTable = { ...one, hosts: [...one.hosts, ...others] };

await proxy.ensure(one);
const runs = { own: [] as WrkRun[], peer: [] as WrkRun[] };
for (let round = 0; round < ROUNDS[form]; round += 1) {
  runs.peer.push(await measure('by hand', peer.port));
  runs.own.push(await measure('adapter', harness.httpsPort));
}
const more: Record<string, number> = {};
const cookies = { 'another cookie': 'a=1', 'a session to remove': `a=1; davit_session=${'a5'.repeat(32)}` };
for (const [name, cookie] of Object.entries(cookies)) {
  more[name] = Math.round((await measure(name, harness.httpsPort, { headers: { cookie } })).perSecond);
}
for (const [name, path] of Object.entries({
  'an answer sets a cookie': '/cookie',
  'and a session to remove': '/session',
})) {
  more[name] = Math.round((await measure(name, harness.httpsPort, { path })).perSecond);
}
for (const [name, table] of Object.entries({
  'maps of 5,000 hosts': full,
  'headers by the script': headed,
  'networks by the script': listed,
})) {
  await proxy.sync(table);
  more[name] = Math.round((await measure(name, harness.httpsPort)).perSecond);
}

const of = (which: WrkRun[], field: keyof WrkRun) => median(which.map((run) => run[field]));
const share = of(runs.own, 'perSecond') / of(runs.peer, 'perSecond');
const p99 = of(runs.own, 'p99') / of(runs.peer, 'p99');
await conclude(
  {
    name: 'https',
    promise: 'HTTPS through the proxy, compared with HAProxy with ten lines of configuration, 1 KiB, TLS 1.3',
    limit: `≥ ${LEAST_SHARE * 100} % of the rate, p99 ≤ ${MOST_P99} ×`,
    value: rounded(share * 100),
    unit: '% of the rate',
    ok: share >= LEAST_SHARE && p99 <= MOST_P99,
    details: {
      p99_against_the_peer: `${rounded(p99)} ×`,
      requests_a_second: Math.round(of(runs.own, 'perSecond')),
      requests_a_second_by_hand: Math.round(of(runs.peer, 'perSecond')),
      p99_ms: rounded(of(runs.own, 'p99')),
      p99_ms_by_hand: rounded(of(runs.peer, 'p99')),
      requests_a_second_otherwise: more,
      runs: `${ROUNDS[form]} × ${SECONDS[form]} s each, ${CLIENTS} connections`,
    },
  },
  form,
);

async function measure(
  what: string,
  port: number,
  { path = '/', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<WrkRun> {
  const run = await wrkRequests(`https://${HOST}:${port}/`, [{ path, headers }], { seconds: SECONDS[form] });
  say(`${what}: ${Math.round(run.perSecond)} requests/s, p99 ${run.p99.toFixed(2)} ms`);
  return run;
}
