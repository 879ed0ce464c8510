/** What a benchmark hands over: a figure against its limit, with everything that is needed to judge it. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import Docker from 'dockerode';

export const RESULTS = join(import.meta.dirname, '..', 'results');

export interface Result {
  /** Of the file that measured it, or of a part of it: `api-read`. */
  name: string;
  /** One sentence. */
  promise: string;
  /** As a reader wants it: `≤ 1.25 ×`. */
  limit: string;
  value: number;
  unit: string;
  /** Against a peer that was measured in the same run. */
  ratio?: number;
  ok: boolean;
  at: string;
  /** Short, long, or as it is usually run. */
  form: Form;
  machine: Machine;
  /** Everything else that was seen, in the order in which it is to be read. */
  details: Record<string, unknown>;
}

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  kernel: string;
  node: string;
  docker: string;
  /** The revision of this repository, with `+` when files were changed. */
  revision: string;
}

export type Form = 'short' | 'usual' | 'long';

/** How much is to be measured. `--short` is for trying a benchmark out: it writes no results. */
export function formOf(args: string[] = process.argv.slice(2)): Form {
  const { values } = parseArgs({ args, options: { long: { type: 'boolean' }, short: { type: 'boolean' } } });
  return values.long ? 'long' : values.short ? 'short' : 'usual';
}

/** Prints a result and, unless the run was short, keeps it. A promise that is not kept makes the process fail. */
export async function conclude(found: Omit<Result, 'at' | 'machine' | 'form'>, form: Form): Promise<void> {
  const result: Result = { ...found, at: new Date().toISOString(), form, machine: await machine() };
  const { name, promise, limit, value, unit, ok, details } = result;
  for (const [key, detail] of Object.entries(details)) {
    console.log(`    ${key.replaceAll('_', ' ')}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
  }
  console.log(`  ${ok ? '✓' : '✗'} ${name}: ${promise}: ${number(value)} ${unit} (limit ${limit})`);
  if (!ok) process.exitCode = 1;
  if (form === 'short') return;
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

export function say(line: string): void {
  console.log(`    ${line}`);
}

/** At most three digits that mean something. */
export function number(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this part of the values lies; between two of them, what is in between. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at % 1);
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

async function machine(): Promise<Machine> {
  const processors = cpus();
  const docker = await new Docker().version().then(
    ({ Version }) => Version,
    () => 'none',
  );
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memory_gib: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    node: process.versions.node,
    docker,
    revision: await revision(),
  };
}

async function revision(): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: RESULTS.replace(/\/bench\/results$/, '') })).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no', '--', 'packages');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    // An archive without its history.
    return 'unknown';
  }
}
