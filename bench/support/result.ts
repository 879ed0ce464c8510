/** Result of a benchmark: a value with its limit, and all details that are needed to interpret it. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import Docker from 'dockerode';
import { type BenchResult, formatNumber, formatValue, writeResult } from '../../scripts/bench/result.ts';

const ROOT = dirname(dirname(import.meta.dirname));

export type Form = 'short' | 'usual' | 'long';

/** Returns the length of the benchmark. `--short` is for trying out a benchmark: its result is not stored. */
export function formOf(args: string[] = process.argv.slice(2)): Form {
  const { values } = parseArgs({ args, options: { long: { type: 'boolean' }, short: { type: 'boolean' } } });
  return values.long ? 'long' : values.short ? 'short' : 'usual';
}

/** Details of a value by name, with `_` for a space. Lists and objects are printed in one line. */
export type Details = Record<string, string | number | string[] | number[] | Record<string, string | number>>;

export type Found = Omit<BenchResult, 'at' | 'machine' | 'details'> & { details: Details };

/** Prints the result, and stores it unless the run was short. */
export async function conclude(found: Found, form: Form): Promise<void> {
  const details = { ...found.details, form, engine: await engine(), revision: await revision() };
  const inWords = Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [name.replaceAll('_', ' '), line(detail)]),
  );
  for (const [name, detail] of Object.entries(inWords)) say(`${name}: ${detail}`);
  const result = { ...found, details: inWords };
  if (form !== 'short') writeResult(result);
  else console.log(`${found.ok ? '✓' : '✗'} ${found.promise}: ${shown(result)} (limit ${found.limit}; not stored)`);
}

function shown(result: Omit<BenchResult, 'at' | 'machine'>): string {
  return formatValue({ ...result, at: '', machine: '' });
}

function line(detail: Details[string]): string | number {
  if (typeof detail !== 'object') return detail;
  if (Array.isArray(detail)) return detail.map(cell).join(', ');
  return Object.entries(detail)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${cell(value)}`)
    .join(', ');
}

function cell(value: string | number): string {
  return typeof value === 'number' ? formatNumber(value) : value;
}

export function say(text: string): void {
  console.log(`  ${text}`);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns a quantile of the values, interpolated between two values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at % 1);
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

async function engine(): Promise<string> {
  return new Docker().version().then(
    ({ Version }) => `Docker ${Version}`,
    () => 'none',
  );
}

/** Returns the Git revision, with `+` if files of the packages differ from it. */
async function revision(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: ROOT })).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no', '--', 'packages');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    // There is no Git history, for example in an unpacked archive.
    return 'unknown';
  }
}
