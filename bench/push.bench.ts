/**
 * Compares a deployment that a `docker push` starts with a deployment by API. The image has one changed layer. The
 * measured time is from the end of the push, or from the API request, to the first response of the new release. Pairs
 * run in alternating order, each after all previous work has ended.
 */

import { performance } from 'node:perf_hooks';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { customImage } from '../test/support/docker-images.ts';
import { type AppParams, startInstance } from '../test/support/instance.ts';
import { send } from '../test/support/proxy-load.ts';
import { RegistryClients } from '../test/support/registry-clients.ts';
import { comparison } from './support/pairs.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const PAIRS = { short: 3, usual: 15, long: 30 };
const LIMIT = 1.3;
const PUSHED: AppParams = { project: 'bench', environment: 'production', app: 'pushed' };
/** The app has a pinned tag, so that a push does not start a deployment. Only the API request does. */
const REQUESTED: AppParams = { project: 'bench', environment: 'production', app: 'requested' };
const SERVE = 'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /www"]';
const POLL_MS = 5;

const form = formOf();
const docker = new Docker();
const built: string[] = [];
await using instance = await startInstance();
await using clients = await RegistryClients.create();
const host = `localhost:${instance.registryPort}`;
await until('the registry answers', async () => {
  const response = await fetch(`http://${host}/v2/`).catch(() => null);
  return response?.status === 401 ? true : null;
});
await instance.client.createProject({ body: { slug: 'bench' } });
const settings = { project: 'bench', source: 'registry' as const, port: 8080 };
await instance.client.createApp({ body: { ...settings, name: PUSHED.app } });
await instance.client.createApp({ body: { ...settings, name: REQUESTED.app, tag: 'pinned' } });
await client(['login', host, '-u', 'admin', '--password-stdin'], instance.key);

const pushedMs: number[] = [];
const requestedMs: number[] = [];
const pushMs: number[] = [];

async function client(args: string[], input = ''): Promise<void> {
  const { exitCode, output } = await clients.docker(args, input);
  if (exitCode !== 0) throw new Error(`docker ${args[0]}: ${output}`);
}

/**
 * Builds an image whose last layer differs from that of all other images, and tags it for the push.
 * @param tag tag of the image, and text that its server returns
 * @returns name of the image
 */
async function buildImage(app: AppParams, tag: string): Promise<string> {
  const image = await customImage(docker, 'bench-push', [
    'EXPOSE 8080',
    SERVE,
    `RUN ["/bin/sh", "-c", "echo ${tag} > /www/index.html"]`,
  ]);
  const name = `${host}/${app.project}/${app.environment}/${app.app}:${tag}`;
  built.push(image, name);
  await client(['tag', image, name]);
  return name;
}

/** Waits until the app returns this text. */
async function untilAnswered(app: AppParams, tag: string): Promise<void> {
  for (;;) {
    const answer = await send({ port: instance.httpPort, host: instance.hostOf(app) }).catch(() => null);
    if (answer?.status === 200 && answer.text.trim() === tag) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function byPush(tag: string): Promise<void> {
  const name = await buildImage(PUSHED, tag);
  const from = performance.now();
  let pushDurationMs = 0;
  const pushing = client(['push', '-q', name]).then(() => {
    pushDurationMs = performance.now() - from;
  });
  await untilAnswered(PUSHED, tag);
  const wholeMs = performance.now() - from;
  await pushing;
  pushMs.push(pushDurationMs);
  pushedMs.push(wholeMs - pushDurationMs);
  await instance.atRest(PUSHED);
}

async function byApi(tag: string): Promise<void> {
  const name = await buildImage(REQUESTED, tag);
  await client(['push', '-q', name]);
  const from = performance.now();
  await instance.client.deployApp({ params: REQUESTED, body: { tag } });
  await untilAnswered(REQUESTED, tag);
  requestedMs.push(performance.now() - from);
  await instance.atRest(REQUESTED);
}

try {
  const run = Date.now().toString(36);
  // The first runs are not counted, because they create the network, compile code and fill caches.
  await byPush(`${run}-a`);
  await byApi(`${run}-a`);
  for (const list of [pushedMs, requestedMs, pushMs]) list.length = 0;
  for (let pair = 1; pair <= PAIRS[form]; pair += 1) {
    const both = [() => byPush(`${run}-${pair}`), () => byApi(`${run}-${pair}`)];
    for (const one of pair % 2 === 0 ? both : both.toReversed()) await one();
    say(
      `pair ${pair}: after the push ${pushedMs.at(-1)?.toFixed(0)} ms, by the API ${requestedMs.at(-1)?.toFixed(0)} ms`,
    );
  }
} finally {
  for (const name of built)
    await docker
      .getImage(name)
      .remove({ force: true })
      .catch(() => null);
}

await conclude(
  {
    name: 'push',
    promise: 'Time from the end of a `docker push` until the new release answers, compared with a deployment by API',
    ...comparison(LIMIT, ['after_the_push', pushedMs], ['by_the_API', requestedMs], {
      push_median_ms: rounded(median(pushMs)),
    }),
  },
  form,
);
