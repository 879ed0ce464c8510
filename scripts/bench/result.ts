import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', 'bench', 'results');

/** Result of a benchmark for one performance guarantee. */
export interface BenchResult {
  /** Unique name in kebab-case, which is the file name under `bench/results`. */
  name: string;
  /** Description of the guarantee, for example "authenticated read of an app". */
  promise: string;
  /** Limit as text, for example `≤ 1.25 ×` or `≥ 5,000 requests/s`. */
  limit: string;
  /** Measured value in `unit`. */
  value: number;
  unit: string;
  /** Ratio to the peer that was measured in the same run, if there is one. */
  ratio?: number;
  /** Whether the value is within the limit. */
  ok: boolean;
  /** Time of the measurement in RFC 3339. */
  at: string;
  machine: string;
  /** Details of the value by name. */
  details: Record<string, string | number>;
}

/** Returns a description of the machine in one line: processors, memory, kernel, runtime. */
export function describeMachine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return `${processors.length} × ${model}, ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** Stores a result for `docs/benchmarks.md` and prints it in one line. A later run replaces the result. */
export function writeResult(found: Omit<BenchResult, 'at' | 'machine'>): BenchResult {
  const result: BenchResult = { ...found, at: new Date().toISOString(), machine: describeMachine() };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  console.log(`${result.ok ? '✓' : '✗'} ${result.promise}: ${formatValue(result)} (limit ${result.limit})`);
  return result;
}

/** Returns all stored results by name. */
export function readResults(): BenchResult[] {
  return globSync('*.json', { cwd: FOLDER })
    .sort()
    .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as BenchResult);
}

/** Formats a number with three significant digits, which is enough for comparisons. Integers are not shortened. */
export function formatNumber(value: number): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function formatValue({ value, unit, ratio }: BenchResult): string {
  const against = ratio === undefined || unit === '×' ? '' : `, ${formatNumber(ratio)} × of its peer`;
  return `${formatNumber(value)} ${unit}${against}`.trim();
}
