import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', 'bench', 'results');

/** What a benchmark found out about one promise. */
export interface BenchResult {
  /** Kebab-case and unique; the file's name under `bench/results`. */
  name: string;
  /** What is promised, in words: «authenticated read of an app». */
  promise: string;
  /** For the reader: `≤ 1.25 ×`, `≥ 5,000 requests/s`. */
  limit: string;
  /** What was measured, in `unit`. */
  value: number;
  unit: string;
  /** Against the peer that was measured in the same run, where there is one. */
  ratio?: number;
  /** The limit was kept. */
  ok: boolean;
  /** RFC 3339. */
  at: string;
  machine: string;
  /** Figures behind the value, by what they are. */
  details: Record<string, string | number>;
}

/** The machine in a line: processors, memory, kernel, runtime. */
export function describeMachine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return `${processors.length} × ${model}, ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** Keeps a result for `docs/benchmarks.md` and prints it in a line. A later run replaces it. */
export function writeResult(found: Omit<BenchResult, 'at' | 'machine'>): BenchResult {
  const result: BenchResult = { ...found, at: new Date().toISOString(), machine: describeMachine() };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  console.log(`${result.ok ? '✓' : '✗'} ${result.promise}: ${formatValue(result)} (limit ${result.limit})`);
  return result;
}

/** Every kept result, by name. */
export function readResults(): BenchResult[] {
  return globSync('*.json', { cwd: FOLDER })
    .sort()
    .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as BenchResult);
}

/** Three figures are enough to compare by; whole numbers are written out. */
export function formatNumber(value: number): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function formatValue({ value, unit, ratio }: BenchResult): string {
  const against = ratio === undefined || unit === '×' ? '' : `, ${formatNumber(ratio)} × of its peer`;
  return `${formatNumber(value)} ${unit}${against}`.trim();
}
