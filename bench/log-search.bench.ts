/**
 * Measures searches in 1 GiB of stored log lines for rare terms. One phrase and one number are each in one line, and
 * another phrase is in no line. The details contain a search that has to check every line.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { AppLog } from '../packages/daemon/src/resources/logs/app-log.ts';
import { type Instance, startInstance } from '../test/support/instance.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const PARAMS = { project: 'bench', environment: 'production', app: 'web' };
const MIB = 1024 * 1024;
const SIZE_MIB = { short: 128, usual: 1024, long: 1024 };
/** Limit of the stored log. The lines compress badly, so they need more space than the default limit. */
const MAX_LOG_BYTES = 4 * 1024 * MIB;
const LIMIT_MS = 1_000;
const TIMES = { short: 3, usual: 11, long: 31 };
const BATCH_LINES = 2_000;
const PATHS = ['/', '/orders', '/orders/new', '/login', '/assets/app.js', '/api/items', '/health'];
const ADDED_LINE = 'panic: the anchor chain is out of links';

const form = formOf();
const wanted = SIZE_MIB[form] * MIB;
await using instance = await startInstance({ engine: 'memory' });
await instance.createApp(PARAMS, { image: 'acme/web' });
await instance.client.patchSettings({ body: { logs: { bytes_per_app: MAX_LOG_BYTES } } });
await instance.stop();
const { lines, bytes, number } = await fill(instance);
await instance.start();
say(`${lines.toLocaleString('en')} lines, ${rounded(bytes / MIB)} MiB`);

const words = { 'in one line': 'Anchor Chain', 'number in one line': number, 'in no line': 'no such word at all' };
const found: Record<string, number> = {};
let slowest = 0;
// The first search reads the files from the disk or from the page cache of the kernel.
const idleMib = await residentMib(instance.pid);
for (const [name, q] of Object.entries(words)) {
  const times: number[] = [];
  for (let n = 0; n < TIMES[form]; n += 1) times.push(await timeOf(q, name === 'in no line' ? 0 : 1));
  found[name] = Math.round(median(times));
  slowest = Math.max(slowest, median(times));
  say(`${name}: ${times.map(Math.round).join(', ')} ms`);
}
const rareMib = await residentMib(instance.pid);
const everyLine = await timeOf('~', 0);
await conclude(
  {
    name: 'log-search',
    promise: `Slowest search for a rare word in ${SIZE_MIB[form]} MiB of logs`,
    limit: `≤ ${LIMIT_MS} ms`,
    value: Math.round(slowest),
    unit: 'ms',
    ok: slowest <= LIMIT_MS,
    details: {
      lines,
      medians_in_ms: found,
      checking_every_line_ms: Math.round(everyLine),
      memory_before_mib: rounded(idleMib),
      memory_after_mib: rounded(rareMib),
      memory_after_checking_every_line_mib: rounded(await residentMib(instance.pid)),
    },
  },
  form,
);

/** Searches for a text, and checks the number of found lines. Returns milliseconds. */
async function timeOf(q: string, count: number): Promise<number> {
  const began = performance.now();
  const answer = await instance.client.getAppLogs({ params: PARAMS, query: { q, format: 'json' } });
  const took = performance.now() - began;
  if (typeof answer !== 'object' || answer.lines.length !== count)
    throw new Error(`search “${q}”: ${JSON.stringify(answer)}`);
  return took;
}

/**
 * Writes lines like those of a busy web app into the log of the stopped instance.
 * @returns number of lines and bytes, and `number`, a text that only one line contains
 */
async function fill({ dataDir }: Instance): Promise<{ lines: number; bytes: number; number: string }> {
  const log = await AppLog.open(join(dataDir, 'logs', '1'), () => ({ bytes: MAX_LOG_BYTES, days: 30 }));
  const source = { replica: '1-1', deployment: 1 };
  let [lines, bytes] = [0, 0];
  // The newest line is from now, so that no line is older than the retention of the log.
  const from = Date.now() / 1000 - wanted / 110 / 1_000;
  while (bytes < wanted) {
    const texts = Array.from({ length: BATCH_LINES }, (_, n) =>
      n === 0 && lines === BATCH_LINES * 100 ? ADDED_LINE : lineOf(lines + n),
    );
    const text = Buffer.from(`${texts.join('\n')}\n`);
    const seconds = Uint32Array.from(texts, (_, n) => from + (lines + n) / 1_000);
    const nanos = Uint32Array.from(texts, () => randomInt(1e9));
    // The log frees the buffers of a batch, so the length of the text is 0 afterwards.
    bytes += text.length;
    log.add(source, 'key', {
      count: texts.length,
      seconds,
      nanos,
      stderr: new Uint8Array(texts.length),
      text,
      position: '1',
    });
    lines += texts.length;
    await log.flush();
  }
  await log.close();
  return { lines, bytes, number: `order=${orderOf(Math.floor(lines / 2))}` };
}

function orderOf(n: number): number {
  return 10_000_000_000 + n * 104_729;
}

function lineOf(n: number): string {
  const path = PATHS[randomInt(PATHS.length)];
  return `INFO 10.2.${randomInt(256)}.${randomInt(256)} GET ${path} 200 ${randomInt(2_000)}ms request=${randomInt(2 ** 47).toString(16)} order=${orderOf(n)}`;
}
