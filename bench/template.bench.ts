/**
 * Checking the files that were really published, warm and on one core: parse, shape, meaning, advice and the manifest.
 * Then the bombs, each of which has to end in a diagnostic, in a process of their own.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkTemplate } from '../packages/template/src/index.ts';
import { readTemplate } from '../packages/template/src/read.ts';
import type { Defused } from '../packages/template/test/support/defuse.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const FILES_PER_SECOND = 800;
const BOMB_MS = 100;
const BOMB_RSS_MIB = 512;
const PACKAGE = join(import.meta.dirname, '../packages/template');
const ROUNDS = { short: 3, usual: 7, long: 15 };
const ROUND_MS = { short: 300, usual: 2_000, long: 5_000 };
const BOMB_RUNS = { short: 1, usual: 3, long: 5 };

const form = formOf();
const run = promisify(execFile);

await checking();
await defusing();

async function checking(): Promise<void> {
  const paths = globSync('fixtures/published/*/template.yaml', { cwd: PACKAGE });
  const texts = paths.map((path) => readFileSync(join(PACKAGE, path), 'utf8'));
  const refused = texts.filter((text) => checkTemplate(text).manifest === null).length;
  const check = measure(texts, checkTemplate);
  const read = measure(texts, readTemplate);
  const value = median(check);
  const found = {
    name: 'template-check',
    promise: 'Checks of the published templates on one core',
    limit: `≥ ${FILES_PER_SECOND} files/s`,
    value: rounded(value),
    unit: 'files/s',
    ok: value >= FILES_PER_SECOND && refused === 0 && texts.length > 0,
  };
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const details = {
    files: texts.length,
    refused,
    characters_a_file: rounded(bytes),
    'parse_and_shape_alone,_files/s': rounded(median(read)),
    'rounds,_files/s': check.map(rounded),
  };
  await conclude({ ...found, details }, form);
}

/** Files a second of each round, after one that is not counted. */
function measure(texts: string[], work: (text: string) => unknown): number[] {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS[form]; round += 1) {
    const from = performance.now();
    let files = 0;
    while (performance.now() - from < ROUND_MS[form]) {
      for (const text of texts) work(text);
      files += texts.length;
    }
    if (round > 0) rates.push((files * 1_000) / (performance.now() - from));
  }
  return rates;
}

async function defusing(): Promise<void> {
  const took = new Map<string, number[]>();
  const silent = new Set<string>();
  let rssMib = 0;
  for (let round = 1; round <= BOMB_RUNS[form]; round += 1) {
    const { stdout } = await run(process.execPath, [join(PACKAGE, 'test/support/defuse.ts')]);
    const { defused, rssKb } = JSON.parse(stdout) as { defused: Record<string, Defused>; rssKb: number };
    rssMib = Math.max(rssMib, rssKb / 1024);
    for (const [name, { code, ms }] of Object.entries(defused)) {
      took.set(name, [...(took.get(name) ?? []), ms]);
      if (code === undefined) silent.add(name);
    }
  }
  const times = [...took].map(([name, ms]) => ({ name, ms: median(ms) })).sort((a, b) => b.ms - a.ms);
  for (const { name, ms } of times.slice(0, 10)) say(`${name}: ${ms.toFixed(1)} ms`);
  const slowest = times[0] ?? { name: 'none', ms: Number.POSITIVE_INFINITY };
  await conclude(
    {
      name: 'template-hostile',
      promise: 'Slowest check of a template that is designed to exhaust the checker',
      limit: `≤ ${BOMB_MS} ms, RSS ≤ ${BOMB_RSS_MIB} MiB`,
      value: rounded(slowest.ms),
      unit: 'ms',
      ok: slowest.ms <= BOMB_MS && rssMib <= BOMB_RSS_MIB && silent.size === 0,
      details: { kinds: times.length, slowest: slowest.name, 'of_all_at_once,_MiB_RSS': rounded(rssMib) },
    },
    form,
  );
}
