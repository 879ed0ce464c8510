/**
 * Measures the rate at which 16 clients read a list that the catalog has served before. Compares the rate with a
 * minimal `node:http` server that sends the same bytes. Rounds alternate between both servers, so that other load of
 * the machine affects both.
 */
import { bootCatalog } from '@davit/testkit/catalog';
import { startBareHttp } from './support/bare-http.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';
import { CLIENTS, wrkRequests } from './support/wrk.ts';

const ROUNDS = { short: 2, usual: 5, long: 10 };
const SECONDS = { short: 2, usual: 5, long: 10 };
const MIN_SHARE = 0.6;
const PATH = '/api/v1/templates?sort=stars';

const form = formOf();
await using catalog = await bootCatalog();
catalog.add(
  ...Array.from({ length: 100 }, (_, i) => ({
    ...{ owner: `owner-${i}`, name: `cubeship-sample-app-${i}-template`, stars: i },
    ...{ description: 'A template that stands for many others.', topics: ['davit-template', 'sample', 'bench'] },
  })),
);
const { text: body } = await catalog.send({ path: PATH });
using bare = await startBareHttp(body);

const requests = [{ path: PATH, headers: {} }];
const own: number[] = [];
const peer: number[] = [];
const latencies: number[] = [];
await wrkRequests(catalog.url, requests, { seconds: 1 });
for (let round = 1; round <= ROUNDS[form]; round += 1) {
  const one = await wrkRequests(catalog.url, requests, { seconds: SECONDS[form] });
  const other = await wrkRequests(bare.url, requests, { seconds: SECONDS[form] });
  own.push(one.perSecond);
  peer.push(other.perSecond);
  latencies.push(one.p99);
  say(
    `round ${round}: catalog ${one.perSecond.toFixed(0)}/s (p99 ${one.p99} ms), bare ${other.perSecond.toFixed(0)}/s`,
  );
}

const share = median(own) / median(peer);
await conclude(
  {
    name: 'catalog-hot',
    promise: `Repeated list of the catalog by ${CLIENTS} clients, compared with a bare node:http server`,
    limit: `≥ ${MIN_SHARE * 100} %`,
    value: Math.round(median(own)),
    unit: 'requests/s',
    ratio: rounded(share),
    ok: share >= MIN_SHARE,
    details: {
      share_of_bare: `${rounded(share * 100)} %`,
      bare_per_second: Math.round(median(peer)),
      rounds: `${own.length} of ${SECONDS[form]} s each`,
      p99_ms: median(latencies),
      body_bytes: Buffer.byteLength(body),
      load: 'wrk on the same machine, one thread',
    },
  },
  form,
);
