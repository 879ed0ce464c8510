/**
 * Measures how many published templates per second one core checks in a warm process: parsing, shape, meaning, advice
 * and manifest. Then checks hostile templates in a separate process. Each check must report a diagnostic within a limit
 * of time and memory.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkTemplate } from '../packages/template/src/index.ts';
import { readTemplate } from '../packages/template/src/read.ts';
import type { Defused } from '../packages/template/test/support/defuse.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const MIN_FILES_PER_SECOND = 800;
const HOSTILE_LIMIT_MS = 100;
const HOSTILE_LIMIT_RSS_MIB = 512;
const PACKAGE = join(import.meta.dirname, '../packages/template');
const ROUNDS = { short: 3, usual: 7, long: 15 };
const ROUND_MS = { short: 300, usual: 2_000, long: 5_000 };
const HOSTILE_RUNS = { short: 1, usual: 3, long: 5 };

const form = formOf();
const run = promisify(execFile);

await benchPublished();
await benchHostile();

async function benchPublished(): Promise<void> {
  const paths = globSync('fixtures/published/*/template.yaml', { cwd: PACKAGE });
  const texts = paths.map((path) => readFileSync(join(PACKAGE, path), 'utf8'));
  const refused = texts.filter((text) => checkTemplate(text).manifest === null).length;
  const check = measure(texts, checkTemplate);
  const read = measure(texts, readTemplate);
  const value = median(check);
  const found = {
    name: 'template-check',
    promise: 'Checks of the published templates on one core',
    limit: `≥ ${MIN_FILES_PER_SECOND} files/s`,
    value: rounded(value),
    unit: 'files/s',
    ok: value >= MIN_FILES_PER_SECOND && refused === 0 && texts.length > 0,
  };
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const details = {
    files: texts.length,
    refused,
    characters_per_file: rounded(bytes),
    'only_parse_and_shape,_files/s': rounded(median(read)),
    'rounds,_files/s': check.map(rounded),
  };
  await conclude({ ...found, details }, form);
}

/** Returns the files per second of each round. The first round is not counted. */
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

async function benchHostile(): Promise<void> {
  const took = new Map<string, number[]>();
  const withoutDiagnostic = new Set<string>();
  let rssMib = 0;
  for (let round = 1; round <= HOSTILE_RUNS[form]; round += 1) {
    const { stdout } = await run(process.execPath, [join(PACKAGE, 'test/support/defuse.ts')]);
    const { defused, rssKb } = JSON.parse(stdout) as { defused: Record<string, Defused>; rssKb: number };
    rssMib = Math.max(rssMib, rssKb / 1024);
    for (const [name, { code, ms }] of Object.entries(defused)) {
      took.set(name, [...(took.get(name) ?? []), ms]);
      if (code === undefined) withoutDiagnostic.add(name);
    }
  }
  const times = [...took].map(([name, ms]) => ({ name, ms: median(ms) })).sort((a, b) => b.ms - a.ms);
  for (const { name, ms } of times.slice(0, 10)) say(`${name}: ${ms.toFixed(1)} ms`);
  const slowest = times[0] ?? { name: 'none', ms: Number.POSITIVE_INFINITY };
  await conclude(
    {
      name: 'template-hostile',
      promise: 'Slowest check of a template that is designed to exhaust the checker',
      limit: `≤ ${HOSTILE_LIMIT_MS} ms, RSS ≤ ${HOSTILE_LIMIT_RSS_MIB} MiB`,
      value: rounded(slowest.ms),
      unit: 'ms',
      ok: slowest.ms <= HOSTILE_LIMIT_MS && rssMib <= HOSTILE_LIMIT_RSS_MIB && withoutDiagnostic.size === 0,
      details: { kinds: times.length, slowest: slowest.name, 'peak_memory_of_all,_MiB_RSS': rounded(rssMib) },
    },
    form,
  );
}
