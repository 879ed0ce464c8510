/**
 * Simulates 100,000 sign-in attempts from 10,000 connections, half of them for the admin's account. Measures the
 * response time of `GET /api/apps` for another client and the additional memory of the daemon. Also checks that the
 * admin can still sign in from another address.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startInstance } from '../test/support/instance.ts';
import type { FloodRequest, FloodResult } from './support/flood-worker.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, median, quantile, rounded, say } from './support/result.ts';

const ATTEMPTS = { short: 20_000, usual: 100_000, long: 100_000 };
const CONNECTIONS = { short: 2_000, usual: 10_000, long: 10_000 };
const NETWORKS = 50;
const ADDRESSES_PER_NETWORK = 4;
const LIMIT_P99_MS = 300;
const LIMIT_MIB = 150;
const READ_EVERY_MS = 10;
const ADMIN = { username: 'admin', password: 'correct horse battery' };

const form = formOf();
await using instance = await startInstance({ engine: 'memory' });
const port = Number(new URL(instance.url).port);
const before = await residentMib(instance.pid);
const withoutAttack = await readFor(async () => delay(3_000));
say(`before: p99 ${quantile(withoutAttack.ms, 0.99).toFixed(1)} ms, ${before.toFixed(1)} MiB`);

const addresses = Array.from({ length: NETWORKS * ADDRESSES_PER_NETWORK }, (_, n) => {
  return `127.1.${1 + (n % NETWORKS)}.${1 + Math.floor(n / NETWORKS)}`;
});
const flood: FloodRequest = {
  port,
  attempts: ATTEMPTS[form],
  connections: CONNECTIONS[form],
  addresses,
  victim: 'admin',
};
const from = performance.now();
const signIns: number[] = [];
const {
  ms,
  failed,
  peakMib,
  result: floodResult,
} = await readFor(async () => {
  const worker = fork(join(import.meta.dirname, 'support/flood-worker.ts'));
  const ended = once(worker, 'message') as Promise<[FloodResult]>;
  worker.send(flood);
  const over = ended.then(() => 'over');
  // During the attack, the admin signs in again and again, with pauses of one second.
  while ((await Promise.race([over, delay(1_000)])) !== 'over') signIns.push(await signIn());
  worker.kill();
  return (await ended)[0];
});
const seconds = (performance.now() - from) / 1_000;

const p99 = quantile(ms, 0.99);
const growthMib = peakMib - before;
const isUsable = failed === 0 && signIns.length > 0 && Math.max(...signIns) <= 5_000;
await conclude(
  {
    name: 'sign-in-flood',
    promise: `Response time of GET /api/apps during ${flood.attempts.toLocaleString('en')} sign-in attempts from ${flood.connections.toLocaleString('en')} connections, p99`,
    limit: `≤ ${LIMIT_P99_MS} ms, memory + ≤ ${LIMIT_MIB} MiB`,
    value: rounded(p99),
    unit: 'ms',
    ok: p99 <= LIMIT_P99_MS && growthMib <= LIMIT_MIB && isUsable,
    details: {
      reads: ms.length,
      failed_reads: failed,
      p50_ms: rounded(median(ms)),
      longest_ms: rounded(Math.max(...ms)),
      p99_before_ms: rounded(quantile(withoutAttack.ms, 0.99)),
      memory_before_mib: rounded(before),
      peak_memory_mib: rounded(peakMib),
      attack_s: rounded(seconds),
      connections_opened: floodResult.open,
      connections_refused: floodResult.refused,
      responses_by_status: floodResult.responses,
      sign_ins_of_the_admin: signIns.length,
      slowest_sign_in_ms: Math.round(Math.max(...signIns)),
      attackers: `${addresses.length} addresses in ${NETWORKS} networks`,
    },
  },
  form,
);

/**
 * Reads the apps again and again, each time over a new connection, until a function has ended.
 * @returns response times in milliseconds, number of failed reads, peak memory, and the result of the function
 */
async function readFor<T>(during: () => Promise<T>) {
  const found: number[] = [];
  let failures = 0;
  let peakMib = 0;
  let over = false;
  const reading = (async () => {
    while (!over) {
      const started = performance.now();
      if ((await statusOf('GET', '/api/apps', undefined, { authorization: `Bearer ${instance.key}` })) === 200) {
        found.push(performance.now() - started);
      } else failures += 1;
      if (found.length % 20 === 0) peakMib = Math.max(peakMib, await residentMib(instance.pid));
      await delay(READ_EVERY_MS);
    }
  })();
  const result = await during();
  over = true;
  await reading;
  peakMib = Math.max(peakMib, await residentMib(instance.pid));
  return { ms: found, failed: failures, peakMib, result };
}

/**
 * Signs in as the admin, and repeats a refused attempt every 250 ms.
 * @returns milliseconds until the sign-in succeeded, or infinity if it did not within 30 s
 */
async function signIn(): Promise<number> {
  const started = performance.now();
  for (;;) {
    const status = await statusOf('POST', '/api/auth/login', JSON.stringify(ADMIN), {
      'content-type': 'application/json',
    });
    if (status === 200) return performance.now() - started;
    if (performance.now() - started > 30_000) return Number.POSITIVE_INFINITY;
    await delay(250);
  }
}

/** Returns the status code of a response, or 0 if the connection broke. */
function statusOf(
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const agent = new Agent({ keepAlive: false });
  const clientRequest = request(`${instance.url}${path}`, { method, headers, agent, timeout: 10_000 }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  clientRequest.on('error', () => resolve(0)).on('timeout', () => clientRequest.destroy());
  clientRequest.end(body);
  return promise;
}
