import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { endCarriers, MARK } from './orphans.ts';

export interface Failure {
  /** `suite › case`. */
  name: string;
  file: string;
  line: number | null;
  /** What was thrown, with its stack. */
  error: string;
}

export interface Skip {
  name: string;
  file: string;
  reason: string;
}

export interface FileResult {
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  ms: number;
  failures: Failure[];
  skips: Skip[];
  /** What the file wrote to its output, shown when it failed. */
  output: string;
  /** Processes that the file left behind; ended. */
  orphans: number;
}

interface CaseError {
  failureType?: string;
  cause?: unknown;
}

const OUTPUT_LIMIT = 64 * 1024;

function describeError(error: CaseError | undefined): string {
  const cause = error?.cause ?? error;
  if (cause instanceof Error) return inspect(cause, { colors: process.stdout.isTTY, depth: 6 });
  return typeof cause === 'string' ? cause : inspect(cause);
}

/** Collects the events of one file; suites are names on the way to a case and count only when a hook of theirs failed. */
class Collector {
  readonly result: FileResult;
  readonly #path: string;
  readonly #names: string[] = [];

  constructor(file: string, path: string) {
    this.#path = path;
    this.result = { file, passed: 0, failed: 0, skipped: 0, ms: 0, failures: [], skips: [], output: '', orphans: 0 };
  }

  started(name: string, nesting: number): void {
    this.#names.length = nesting;
    this.#names[nesting] = name;
  }

  #fullName(name: string, nesting: number): string {
    return [...this.#names.slice(0, nesting), name].join(' › ');
  }

  passed(data: TestPass): void {
    // A file without cases is reported as one case that has the file's name.
    if (data.details.type === 'suite' || data.name === this.#path) return;
    const why = data.skip ?? data.todo;
    if (why === undefined || why === false) {
      this.result.passed += 1;
      return;
    }
    const name = this.#fullName(data.name, data.nesting);
    this.result.skipped += 1;
    this.result.skips.push({
      name,
      file: this.result.file,
      reason: typeof why === 'string' && why !== '' ? why : 'no reason given',
    });
  }

  failed(data: TestFail): void {
    const error = data.details.error as CaseError | undefined;
    if (error?.failureType === 'subtestsFailed') return;
    const whole = data.name === this.#path;
    this.fail(
      whole ? 'the file itself' : this.#fullName(data.name, data.nesting),
      whole ? 'It ended before its cases were over; its output is below.' : describeError(error),
      whole ? null : (data.line ?? null),
    );
  }

  fail(name: string, error: string, line: number | null = null): void {
    this.result.failed += 1;
    this.result.failures.push({ name, file: this.result.file, line, error });
  }

  wrote(text: string): void {
    this.result.output = (this.result.output + text).slice(-OUTPUT_LIMIT);
  }
}

type Events = ReturnType<typeof run>;
type TestPass = { name: string; nesting: number; skip?: string | boolean; todo?: string | boolean } & {
  details: { type?: string | undefined };
};
type TestFail = TestPass & { line?: number; details: { error: unknown } };

async function collect(events: Events, collector: Collector): Promise<void> {
  for await (const event of events) {
    switch (event.type) {
      case 'test:start':
        collector.started(event.data.name, event.data.nesting);
        break;
      case 'test:pass':
        collector.passed(event.data as TestPass);
        break;
      case 'test:fail':
        collector.failed(event.data as TestFail);
        break;
      case 'test:stdout':
      case 'test:stderr':
        collector.wrote(event.data.message);
        break;
    }
  }
}

/**
 * Runs one test file in a process of its own and ends whatever it left behind. A file that takes longer than `limitMs` is
 * ended, with all it started, and counts as failed; so does one without a single case.
 */
export async function runFile(
  file: string,
  options: { root: string; limitMs: number; env: Record<string, string>; marks: Set<string> },
): Promise<FileResult> {
  const path = join(options.root, file);
  const mark = randomBytes(8).toString('hex');
  const collector = new Collector(file, path);
  const started = performance.now();
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    // Ended from the outside: a file that hangs does not listen.
    void endCarriers(mark);
  }, options.limitMs);
  options.marks.add(mark);
  try {
    const env = { ...process.env, ...options.env, [MARK]: mark };
    await collect(run({ files: [path], cwd: options.root, env, concurrency: 1 }), collector);
  } finally {
    clearTimeout(limit);
    options.marks.delete(mark);
    collector.result.orphans = late ? 0 : await endCarriers(mark);
  }
  const { result } = collector;
  if (late) collector.fail('the file itself', `It was not over after ${options.limitMs / 1000} s and was ended.`);
  else if (result.passed + result.failed + result.skipped === 0) collector.fail('the file itself', 'It has no case.');
  result.ms = performance.now() - started;
  return result;
}
