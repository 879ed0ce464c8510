/**
 * Measures authenticated reads of an app by 16 clients, and compares the rate with a minimal `node:http` server that
 * sends the same bytes. Rounds alternate between both servers, so that other load of the machine affects both.
 */
import { startInstance } from '../test/support/instance.ts';
import { startBareHttp } from './support/bare-http.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';
import { makeSampleApp, pathOf, readAs, SAMPLE } from './support/sample-app.ts';
import { CLIENTS, wrk } from './support/wrk.ts';

const ROUNDS = { short: 2, usual: 5, long: 10 };
const SECONDS = { short: 2, usual: 5, long: 10 };
const MIN_SHARE = 0.15;
const MIN_PER_SECOND = 5_000;

const form = formOf();
await using instance = await startInstance({ engine: 'memory' });
await makeSampleApp(instance);
const path = pathOf(SAMPLE);
const body = await readAs(instance, path);
using bare = await startBareHttp(body);

const davit: number[] = [];
const peer: number[] = [];
const latencies: number[] = [];
await wrk(instance.url, [path], instance.key, 1);
for (let round = 1; round <= ROUNDS[form]; round += 1) {
  const one = await wrk(instance.url, [path], instance.key, SECONDS[form]);
  const other = await wrk(bare.url, [path], instance.key, SECONDS[form]);
  davit.push(one.perSecond);
  peer.push(other.perSecond);
  latencies.push(one.p99);
  say(`round ${round}: davit ${one.perSecond.toFixed(0)}/s (p99 ${one.p99} ms), bare ${other.perSecond.toFixed(0)}/s`);
}

const perSecond = median(davit);
const share = perSecond / median(peer);
await conclude(
  {
    name: 'api-read',
    promise: `Authenticated reads of an app by ${CLIENTS} clients, compared with a bare node:http server`,
    limit: `≥ ${MIN_PER_SECOND.toLocaleString('en')}/s and ≥ ${MIN_SHARE * 100} %`,
    value: Math.round(perSecond),
    unit: 'requests/s',
    ratio: rounded(share),
    ok: perSecond >= MIN_PER_SECOND && share >= MIN_SHARE,
    details: {
      share_of_bare: `${rounded(share * 100)} %`,
      bare_per_second: Math.round(median(peer)),
      rounds: `${davit.length} of ${SECONDS[form]} s each`,
      p99_ms: median(latencies),
      body_bytes: Buffer.byteLength(body),
      load: 'wrk on the same machine, one thread',
    },
  },
  form,
);
