/**
 * An app writes 10,000 lines per second for 60 s, and three clients follow its log. Measures the processor time of the
 * daemon, and counts lost and duplicate lines. The lines are numbered, so that a missing line is found in the output of
 * every client and in the stored log.
 */

import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogEvent } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { startInstance } from '../test/support/instance.ts';
import { cpuMs, residentMib } from './support/process-use.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';
import { beginWriting, deployWriter, WRITTEN_LINES_PER_S } from './support/writing-app.ts';

const PARAMS = { project: 'bench', environment: 'production', app: 'writer' };
const READERS = 3;
const SECONDS = { short: 10, usual: 60, long: 600 };
const LIMIT_PERCENT = 50;

const form = formOf();
const seconds = SECONDS[form];
const written = seconds * WRITTEN_LINES_PER_S;
await using instance = await startInstance({ nodeFlags: process.argv.includes('--profile') ? ['--cpu-prof'] : [] });
await deployWriter(instance, instance.docker, PARAMS);
await until('the app has started', async () => ((await stored('waiting')) > 0 ? true : null));

const readers = Array.from({ length: READERS }, () => follow());
await until('every reader is connected', async () => (readers.every(({ isOpen }) => isOpen()) ? true : null));
const idleMib = await residentMib(instance.pid);
const before = await cpuMs([instance.pid]);
await beginWriting(instance, PARAMS, seconds);
const began = performance.now();
let peakMib = idleMib;
while (performance.now() - began < seconds * 1_000) {
  await delay(500);
  peakMib = Math.max(peakMib, await residentMib(instance.pid));
}
const tookMs = performance.now() - began;
const percent = (100 * ((await cpuMs([instance.pid])) - before)) / tookMs;
await until('the last line is stored', async () => ((await stored('written')) > 0 ? true : null));
await until('all readers are finished', async () => (readers.every(({ isDone }) => isDone()) ? true : null)).catch(
  (late: Error) => say(late.message),
);
const storedLog = await storedNumbers();
const lost = [...readers.map(({ numbers }) => missing(numbers)), missing(storedLog)];
const duplicates = [...readers.map(({ numbers }) => numbers), storedLog].map(
  (numbers) => numbers.length - new Set(numbers).size,
);
for (const { stop } of readers) stop();

await conclude(
  {
    name: 'log-follow',
    promise: `Processor time of the daemon for ${WRITTEN_LINES_PER_S.toLocaleString('en')} log lines per second and ${READERS} readers`,
    limit: `≤ ${LIMIT_PERCENT} % of a core, no line lost`,
    value: rounded(percent),
    unit: '% of a core',
    ok: percent <= LIMIT_PERCENT && [...lost, ...duplicates].every((count) => count === 0),
    details: {
      lines: written,
      lost_by_reader_and_in_the_stored_log: lost,
      duplicates_by_reader_and_in_the_stored_log: duplicates,
      memory_before_mib: rounded(idleMib),
      peak_memory_mib: rounded(peakMib),
      line_size: '100 bytes',
    },
  },
  form,
);

/** Returns the number of stored lines that contain a text, up to the default limit of the API. */
async function stored(q: string): Promise<number> {
  const found = await instance.client.getAppLogs({ params: PARAMS, query: { q, format: 'json' } });
  return typeof found === 'object' ? found.lines.length : 0;
}

function numberOf(line: string): number | null {
  const [, number] = /^n=(\d+) /.exec(line) ?? [];
  return number === undefined ? null : Number(number);
}

function missing(numbers: number[]): number {
  return written - new Set(numbers).size;
}

/**
 * Follows the log of the app. It does as little work as possible, because the client and the daemon share the machine.
 */
function follow() {
  const numbers: number[] = [];
  let [isOpen, isDone] = [false, false];
  let rest = '';
  const path = `/api/apps/${PARAMS.project}/${PARAMS.environment}/${PARAMS.app}/logs?follow=true&tail=0`;
  const headers = { authorization: `Bearer ${instance.key}` };
  const clientRequest = request(`${instance.url}${path}`, { headers, agent: false }, (response) => {
    isOpen = true;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const parts = (rest + text).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) take(part);
    });
  });
  clientRequest.on('error', () => undefined);
  clientRequest.end();
  const take = (event: string) => {
    const [, name = '', data = ''] = /event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
    if (name === 'reset') say(`a reader received a reset: ${data}`);
    if (name !== 'log') return;
    for (const { line } of (JSON.parse(data) as LogEvent).lines) {
      const number = numberOf(line);
      if (number !== null) numbers.push(number);
      else if (line === 'written') isDone = true;
    }
  };
  return { numbers, isOpen: () => isOpen, isDone: () => isDone, stop: () => clientRequest.destroy() };
}

/** Returns the numbers of all stored lines, which it reads page by page. */
async function storedNumbers(): Promise<number[]> {
  const numbers: number[] = [];
  for (let until: string | undefined; ; ) {
    const query = { limit: '10000', format: 'json', ...(until !== undefined && { until }) } as const;
    const found = await instance.client.getAppLogs({ params: PARAMS, query });
    if (typeof found !== 'object') throw new Error('the API did not return the lines as JSON');
    for (const { line } of found.lines) numbers.push(numberOf(line) ?? -1);
    until = found.lines[0]?.at;
    if (!found.more || until === undefined) return numbers.filter((number) => number >= 0);
  }
}
