/**
 * Compares HTTPS through the proxy of Davit with HAProxy and ten lines of manual configuration, for the same app.
 * Responses have 1 KiB; the connections use TLS 1.3 and are persistent. The host in Davit has a certificate, redirects
 * HTTP to HTTPS, and sends HSTS. Both proxies run from the same image and get the same load, and rounds alternate.
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
const MIN_SHARE = 0.85;
const MAX_P99_RATIO = 1.3;
/** wrk sends this name as the server name of TLS, so that the name must resolve on every machine. */
const HOST = 'localhost';

const form = formOf();
await using harness = await ProxyHarness.create();
const app = await startQuickApp(harness);
const own = await certificate('own', [HOST]);
const peer = await startPeer(harness, app.port, own.pem());
const accessLogOptions = { port: await freePort(), token: 'bench', settle: () => undefined };
const proxy = harness.connect({ accessLog: accessLogOptions });
// Reads the access log of the proxy, because the daemon reads it too.
await using log = createAccessLogReader(accessLogOptions);
await log.start({ take: () => undefined, settle: () => undefined });

const usual = rules({ httpsOnly: true, hsts: 'max-age=31536000' });
const one: RouteTable = {
  ...tableOf(backend(1, [server({ name: 'i1', port: app.port })])),
  domain: 'davit.test',
  hosts: [{ host: HOST, slot: 1, rules: usual }],
  certificates: [own],
};
const withHeaders: RouteTable = {
  ...one,
  hosts: [{ host: HOST, slot: 1, rules: { ...usual, headers: { 'x-a': 'b' } } }],
};
const withAllowList: RouteTable = {
  ...one,
  hosts: [{ host: HOST, slot: 1, rules: { ...usual, allow: ['10.0.0.0/8', '127.0.0.0/8'] } }],
};
const others = Array.from({ length: OTHER_HOSTS }, (_, n) => ({ host: `h${n}.davit.test`, slot: 1 }));
const withManyHosts: RouteTable = { ...one, hosts: [...one.hosts, ...others] };

await proxy.ensure(one);
const runs = { own: [] as WrkRun[], peer: [] as WrkRun[] };
for (let round = 0; round < ROUNDS[form]; round += 1) {
  runs.peer.push(await measure('manual configuration', peer.port));
  runs.own.push(await measure('adapter', harness.httpsPort));
}
const more: Record<string, number> = {};
// The proxy removes the session cookie of the dashboard from requests to apps and from their responses.
const cookies = {
  'request with a cookie': 'a=1',
  'request with a session cookie': `a=1; davit_session=${'a5'.repeat(32)}`,
};
for (const [name, cookie] of Object.entries(cookies)) {
  more[name] = Math.round((await measure(name, harness.httpsPort, { headers: { cookie } })).perSecond);
}
for (const [name, path] of Object.entries({
  'response with a cookie': '/cookie',
  'response with a session cookie': '/session',
})) {
  more[name] = Math.round((await measure(name, harness.httpsPort, { path })).perSecond);
}
for (const [name, table] of Object.entries({
  'maps of 5,000 hosts': withManyHosts,
  'response headers set by the Lua script': withHeaders,
  'allow list checked by the Lua script': withAllowList,
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
    limit: `≥ ${MIN_SHARE * 100} % of the rate, p99 ≤ ${MAX_P99_RATIO} ×`,
    value: rounded(share * 100),
    unit: '% of the rate',
    ok: share >= MIN_SHARE && p99 <= MAX_P99_RATIO,
    details: {
      p99_compared_with_manual_configuration: `${rounded(p99)} ×`,
      requests_per_second: Math.round(of(runs.own, 'perSecond')),
      requests_per_second_with_manual_configuration: Math.round(of(runs.peer, 'perSecond')),
      p99_ms: rounded(of(runs.own, 'p99')),
      p99_ms_with_manual_configuration: rounded(of(runs.peer, 'p99')),
      requests_per_second_in_other_cases: more,
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
