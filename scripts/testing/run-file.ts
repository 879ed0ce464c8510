import { randomBytes } from 'node:crypto';
import { collectApart } from './apart.ts';
import { addFailure, collectFile, emptyResult, type FileResult } from './collect-file.ts';
import { endCarriers, MARK } from './orphans.ts';

export interface RunOptions {
  root: string;
  limitMs: number;
  env: Record<string, string>;
  marks: Set<string>;
  /** Whether it gets a network of its own. */
  apart: boolean;
}

/**
 * Runs one test file in a process of its own and ends whatever it left behind. A file that takes longer than `limitMs` is
 * ended, with all it started, and counts as failed; so does one without a single case.
 */
export async function runFile(file: string, options: RunOptions): Promise<FileResult> {
  const mark = randomBytes(8).toString('hex');
  const started = performance.now();
  let late = false;
  let result = emptyResult(file);
  const limit = setTimeout(() => {
    late = true;
    // Ended from the outside: a file that hangs does not listen.
    void endCarriers(mark);
  }, options.limitMs);
  options.marks.add(mark);
  try {
    const env = { ...process.env, ...options.env, [MARK]: mark };
    result = await (options.apart ? collectApart : collectFile)(file, options.root, env);
  } finally {
    clearTimeout(limit);
    options.marks.delete(mark);
    result.orphans = late ? 0 : await endCarriers(mark);
  }
  if (late)
    addFailure(
      result,
      result.unfinished ?? 'the file itself',
      `The file was not over after ${options.limitMs / 1000} s and was ended.`,
    );
  else if (result.passed + result.failed + result.skipped === 0)
    addFailure(result, 'the file itself', 'It has no case.');
  result.ms = performance.now() - started;
  return result;
}
