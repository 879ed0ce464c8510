import { dirname } from 'node:path';
import type { CheckResult } from './checks.ts';
import type { FileResult } from './collect-files.ts';
import { needsMachine } from './files.ts';

const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint = (code: number) => (text: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);
const green = paint(32);
const red = paint(31);
const dim = paint(2);
const bold = paint(1);

const OUTPUT_LINES = 60;
/**
 * Maximum number of listed test cases that were skipped for the same reason. If there are more, only their number is
 * printed.
 */
const SKIPS_NAMED = 5;
const SLOWEST_FILES = 10;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}

function row(ok: boolean, name: string, cases: string, ms: number): void {
  console.log(`  ${ok ? green('✓') : red('✗')} ${name.padEnd(46)} ${cases.padStart(10)} ${seconds(ms)}`);
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}

export function printCheck(check: CheckResult): void {
  row(check.ok, check.name, '', check.ms);
}

/** Prints a remark about how this run differs from others. */
export function printRemark(text: string): void {
  console.log(`  ${dim('!')} ${text}`);
}

/**
 * Prints a folder when all its files have ended. Files with the engine or a browser take long and get separate lines.
 */
export class FolderRows {
  readonly #waiting = new Map<string, { left: number; results: FileResult[] }>();

  constructor(files: string[]) {
    for (const file of files) {
      const folder = FolderRows.#key(file);
      const entry = this.#waiting.get(folder) ?? { left: 0, results: [] };
      entry.left += 1;
      this.#waiting.set(folder, entry);
    }
  }

  static #key(file: string): string {
    return needsMachine(file) ? file : dirname(file);
  }

  add(result: FileResult): void {
    // The end repeats the failures. They are also printed here, because a long run may be stopped before its end.
    printFailures(result);
    const key = FolderRows.#key(result.file);
    const entry = this.#waiting.get(key);
    if (entry === undefined) return;
    entry.results.push(result);
    entry.left -= 1;
    if (entry.left > 0) return;
    const sum = (pick: (one: FileResult) => number) => entry.results.reduce((total, one) => total + pick(one), 0);
    const cases = sum((one) => one.passed + one.failed + one.skipped);
    row(
      sum((one) => one.failed) === 0,
      key,
      `${cases} ${cases === 1 ? 'case' : 'cases'}`,
      sum((one) => one.ms),
    );
  }
}

function printFailures(result: FileResult): void {
  for (const failure of result.failures) {
    const location = failure.line === null ? failure.file : `${failure.file}:${failure.line}`;
    console.log(`\n${red('✗')} ${bold(failure.name)}\n  ${location}\n${indent(failure.error)}`);
  }
}

function printFailedFile(result: FileResult): void {
  printFailures(result);
  if (result.output.trim() !== '') {
    const lines = result.output.trimEnd().split('\n');
    const shown = lines.slice(-OUTPUT_LINES);
    const cut = lines.length > shown.length ? `, its last ${shown.length} lines` : '';
    console.log(dim(`  output of ${result.file}${cut}:`));
    console.log(indent(shown.join('\n')));
  }
}

function printSkips(results: FileResult[]): void {
  const skips = results.flatMap((result) => result.skips);
  if (skips.length === 0) return;
  console.log('\nSkipped:');
  for (const [reason, cases] of Map.groupBy(skips, (skip) => skip.reason)) {
    if (cases.length > SKIPS_NAMED) console.log(`  - ${cases.length} cases ${dim(`(${reason})`)}`);
    else for (const skip of cases) console.log(`  - ${skip.file}: ${skip.name} ${dim(`(${reason})`)}`);
  }
}

/** Prints the slowest files, so that growing durations are noticed. */
function printSlowest(results: FileResult[]): void {
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES);
  if (slowest.length === 0) return;
  console.log('\nSlowest files:');
  for (const { file, ms } of slowest) console.log(`${seconds(ms)}  ${file}`);
}

/** Prints failures in full, skipped cases with their reasons, and the totals as the last line. */
export function printEnd(checks: CheckResult[], results: FileResult[], problems: string[]): boolean {
  printSkips(results);
  printSlowest(results);
  for (const check of checks.filter((one) => !one.ok)) {
    console.log(`\n${red('✗')} ${bold(check.name)}\n${indent(check.output)}`);
  }
  for (const result of results.filter((one) => one.failed > 0)) printFailedFile(result);
  for (const result of results.filter((one) => one.orphans > 0)) {
    console.log(`\n${result.file} left ${result.orphans} process(es) behind; they were ended.`);
  }
  for (const problem of problems) console.log(`\n${red('✗')} ${problem}`);

  const total = (pick: (one: FileResult) => number) => results.reduce((sum, one) => sum + pick(one), 0);
  const passed = total((one) => one.passed) + checks.filter((one) => one.ok).length;
  const failed = total((one) => one.failed) + checks.filter((one) => !one.ok).length + problems.length;
  const skipped = total((one) => one.skipped);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0;
}
