/**
 * Measures how long one request can delay all others, because the daemon reads and validates bodies in one thread.
 * Sends bodies of 1 MiB that are designed to be slow to parse or to validate. Meanwhile, another client requests
 * `GET /healthz` again and again. The result is its longest response time.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '../test/support/instance.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';
import { makeSampleApp, pathOf, SAMPLE } from './support/sample-app.ts';

const ROUNDS = { short: 2, usual: 5, long: 20 };
const LIMIT_MS = 50;
const MAX_BODY_BYTES = 1024 * 1024;

/** Repeats a text until it has almost the maximum size of a body. The 64 bytes are for the text around it. */
const full = (part: string) => part.repeat(Math.floor((MAX_BODY_BYTES - 64) / part.length));
/** Returns as many numbered items, separated by commas, as fit into a body if each has this size in bytes. */
const numbered = (of: (n: number) => string, bytes: number) =>
  Array.from({ length: Math.floor((MAX_BODY_BYTES - 64) / bytes) }, (_, n) => of(n)).join(',');

interface ApiRequest {
  method: string;
  path: string;
  body: string;
}

const create = (body: string): ApiRequest => ({ method: 'POST', path: '/api/apps', body });
const variables = (body: string): ApiRequest => ({ method: 'PATCH', path: `${pathOf(SAMPLE)}/env`, body });

/** Requests with hostile bodies, by the content of the body. */
const HOSTILE_REQUESTS: Record<string, ApiRequest> = {
  arrays_in_arrays: create(`{"a":${full('[')}`),
  objects_in_objects: create(full('{"a":')),
  closed_arrays_in_arrays: create(`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
  many_fields: create(`{${numbered((n) => `"f${n}":0`, 11)}}`),
  duplicate_field_at_the_end: create(`{${numbered((n) => `"f${n}":0`, 11)},"f1":0}`),
  many_empty_objects: create(`{"args":[${full('{},').slice(0, -1)}]}`),
  many_short_strings: create(`{"args":[${full('"a",').slice(0, -1)}]}`),
  one_long_string: create(`{"image":"${full('a')}"}`),
  one_long_string_of_dashes: create(`{"image":"${full('a-')}"}`),
  one_long_host_name: { ...create(`{"host":"${full('a.')}"}`), path: `${pathOf(SAMPLE)}/domains` },
  escapes: create(`{"name":"${full('\\u0041')}"}`),
  backslashes: create(`{"name":"${full('\\\\')}"}`),
  one_long_number: create(`{"scale":${full('9')}}`),
  many_numbers: create(`{"args":[${full('1e1,').slice(0, -1)}]}`),
  many_variables: variables(`{"set":{${numbered((n) => `"V${String(n).padStart(6, '0')}":"x"`, 14)}}}`),
  // The daemon accepts 3,200 fields and items per body. A size of 340 bytes per item results in 3,083 items.
  allowed_number_of_variables: variables(`{"set":{${numbered((n) => `"V${String(n).padStart(6, '0')}":"x"`, 340)}}}`),
  allowed_number_of_fields: create(`{${numbered((n) => `"f${n}":0`, 340)}}`),
  one_long_variable: variables(`{"set":{"A":"${full('a')}"}}`),
  many_removed_variables: variables(`{"unset":[${numbered((n) => `"V${String(n).padStart(6, '0')}"`, 10)}]}`),
  a_long_tag: { ...create(`{"tag":"${full('a.')}"}`), path: `${pathOf(SAMPLE)}/deploy` },
};

const form = formOf();
await using instance = await startInstance({ engine: 'memory' });
await makeSampleApp(instance);
const agent = new Agent({ keepAlive: true });
const worst: Record<string, number> = {};
const idle: number[] = [];
for (let round = 0; round < ROUNDS[form]; round += 1) {
  idle.push(await longestWait(instance, () => delay(200)));
  for (const [name, hostile] of Object.entries(HOSTILE_REQUESTS)) {
    const status = { code: 0 };
    const waited = await longestWait(instance, async () => {
      status.code = await send(instance, hostile);
    });
    if (status.code >= 500 || status.code === 0) throw new Error(`${name}: status code ${status.code}`);
    worst[name] = Math.max(worst[name] ?? 0, rounded(waited));
    if (round === 0) say(`${name}: ${status.code}, ${waited.toFixed(0)} ms`);
  }
}
agent.destroy();
const longest = Math.max(...Object.values(worst));
await conclude(
  {
    name: 'hostile-bodies',
    promise: 'Longest delay of other requests by one body of 1 MiB',
    limit: `≤ ${LIMIT_MS} ms`,
    value: longest,
    unit: 'ms',
    ok: longest <= LIMIT_MS,
    details: {
      ...Object.fromEntries(Object.entries(worst).toSorted(([, a], [, b]) => b - a)),
      without_hostile_bodies: `${rounded(median(idle))} ms`,
      rounds: ROUNDS[form],
    },
  },
  form,
);

/**
 * Requests the health of the daemon again and again until `work` has ended.
 * @returns the longest response time in milliseconds
 */
async function longestWait(of: Instance, work: () => Promise<unknown>): Promise<number> {
  let [longestMs, isDone] = [0, false];
  const done = work().finally(() => {
    isDone = true;
  });
  do {
    const from = performance.now();
    await send(of, { method: 'GET', path: '/healthz', body: '' });
    longestMs = Math.max(longestMs, performance.now() - from);
  } while (!isDone);
  await done;
  return longestMs;
}

function send({ url, key }: Instance, { method, path, body }: ApiRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const clientRequest = request(`${url}${path}`, { method, headers, agent }, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode ?? 0));
  });
  clientRequest.on('error', reject);
  clientRequest.end(body);
  return promise;
}
