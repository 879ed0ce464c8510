import { join } from 'node:path';
import { run } from 'node:test';
import { describeError } from './describe-error.ts';

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
  /** `suite › case`: what had begun and was not over when the file ended; null for nothing. */
  unfinished: string | null;
}

interface CaseError {
  failureType?: string;
  cause?: unknown;
}

const OUTPUT_LIMIT = 64 * 1024;

/** What the runner counts at the end of a file. */
const COUNT = /^\w+ [\d.]+$/;

export function emptyResult(file: string): FileResult {
  const counts = { passed: 0, failed: 0, skipped: 0, ms: 0, orphans: 0 };
  return { file, ...counts, failures: [], skips: [], output: '', unfinished: null };
}

/** Counts a failure that is none of its cases. */
export function addFailure(result: FileResult, name: string, error: string, line: number | null = null): void {
  result.failed += 1;
  result.failures.push({ name, file: result.file, line, error });
}

/** Collects the events of one file; suites are names on the way to a case and count only when a hook of theirs failed. */
class Collector {
  readonly result: FileResult;
  readonly #path: string;
  readonly #names: string[] = [];
  /** The case at work and its suites, outermost first: told when they begin, where the others are told in their order. */
  readonly #atWork: string[] = [];

  constructor(file: string, path: string) {
    this.#path = path;
    this.result = emptyResult(file);
  }

  started(name: string, nesting: number): void {
    this.#names.length = nesting;
    this.#names[nesting] = name;
  }

  began(name: string, nesting: number): void {
    // The file itself begins too.
    if (name === this.#path) return;
    this.#atWork.length = nesting;
    this.#atWork[nesting] = name;
    this.result.unfinished = this.#atWork.join(' › ');
  }

  completed(name: string, nesting: number): void {
    if (name === this.#path) return;
    this.#atWork.length = nesting;
    this.result.unfinished = nesting === 0 ? null : this.#atWork.join(' › ');
  }

  #fullName(name: string, nesting: number): string {
    return [...this.#names.slice(0, nesting), name].join(' › ');
  }

  passed(data: TestPass): void {
    const why = data.skip ?? data.todo;
    // A file without cases is reported as one case that has the file's name. A suite that is left out whole tells of none.
    const isOfCases = data.details.type === 'suite' && (why === undefined || why === false);
    if (isOfCases || data.name === this.#path) return;
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
    addFailure(
      this.result,
      whole ? 'the file itself' : this.#fullName(data.name, data.nesting),
      whole ? 'It ended before its cases were over; its output is below.' : describeError(error?.cause ?? error),
      whole ? null : (data.line ?? null),
    );
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
      case 'test:dequeue':
        collector.began(event.data.name, event.data.nesting);
        break;
      case 'test:complete':
        collector.completed(event.data.name, event.data.nesting);
        break;
      case 'test:start':
        collector.started(event.data.name, event.data.nesting);
        break;
      case 'test:pass':
        collector.passed(event.data as TestPass);
        break;
      case 'test:fail':
        collector.failed(event.data as TestFail);
        break;
      // What failed after its case was over is told here alone; the rest are counts.
      case 'test:diagnostic':
        if (!COUNT.test(event.data.message)) collector.wrote(`${event.data.message}\n`);
        break;
      case 'test:stdout':
      case 'test:stderr':
        collector.wrote(event.data.message);
        break;
    }
  }
}

/** Runs one test file in a process of its own, until that ends. @param env all of its environment */
export async function collectFile(file: string, root: string, env: NodeJS.ProcessEnv): Promise<FileResult> {
  const path = join(root, file);
  const collector = new Collector(file, path);
  await collect(run({ files: [path], cwd: root, env, concurrency: 1 }), collector);
  return collector.result;
}
