/**
 * Deploys an app 100 times under 320 requests per second, and counts the lost requests by class. Also counts broken
 * long connections of another app.
 */
import { startInstance } from '../test/support/instance.ts';
import { trafficLines } from '../test/support/traffic.ts';
import { deployUnderTraffic } from '../test/support/traffic-deploys.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const DEPLOYS = { short: 5, usual: 100, long: 300 };
const SAY_EVERY = 10;

const form = formOf();
await using instance = await startInstance();
const { traffic, deploys, sick, durationsMs } = await deployUnderTraffic(instance, DEPLOYS[form], {
  onDeploy: (done) => {
    if (done % SAY_EVERY === 0) say(`${done} deployments`);
  },
});
for (const line of trafficLines(traffic)) say(line);
const neverReady = Object.keys(traffic.tags).filter((tag) => tag !== 'v1' && tag !== 'v2');
await conclude(
  {
    name: 'lost-requests',
    promise: `Requests lost in ${deploys} deployments under load`,
    limit: '0',
    value: traffic.lostInAll,
    unit: `of ${traffic.sentInAll.toLocaleString('en')} requests`,
    ok: traffic.lostInAll === 0 && neverReady.length === 0 && traffic.sentInAll > 300 * traffic.seconds,
    details: {
      by_class: Object.fromEntries(
        Object.entries(traffic.classes).map(([name, { sent, lost, retried }]) => [
          name,
          `${lost} of ${sent.toLocaleString('en')} lost${retried > 0 ? `, ${retried} refused before processing and sent again` : ''}`,
        ]),
      ),
      ...(traffic.lostInAll > 0 && {
        lost: traffic.lost,
        first_failures: traffic.failures.slice(0, 10).map((one) => JSON.stringify(one)),
      }),
      answers_by_release: traffic.tags,
      releases_that_were_never_ready: `${sick} tried, ${neverReady.length === 0 ? 'none got a request' : neverReady.join(', ')}`,
      requests_per_second: rounded(traffic.sentInAll / traffic.seconds),
      deploy_median_ms: rounded(median(durationsMs)),
      slowest_answer_ms: rounded(traffic.slowestMs),
      longest_delay_before_sending_ms: rounded(traffic.latestMs),
    },
  },
  form,
);
