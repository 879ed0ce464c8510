import { join } from 'node:path';
import { run } from 'node:test';
import { describeError } from './describe-error.ts';

export interface Failure {
  /** Name of the test case, `suite › case`. */
  name: string;
  file: string;
  line: number | null;
  /** Error with its stack. */
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
  /** Output of the file, shown if it failed. */
  output: string;
  /** Number of processes that the file left behind and that were ended. */
  orphans: number;
  /** Case that had started but not ended when the file ended, as `suite › case`, or null for none. */
  unfinished: string | null;
}

interface CaseError {
  failureType?: string;
  cause?: unknown;
}

const OUTPUT_LIMIT = 64 * 1024;

/** Pattern for counters that the runner prints at the end of a file. */
const COUNT = /^\w+ [\d.]+$/;

export function emptyResult(file: string): FileResult {
  const counts = { passed: 0, failed: 0, skipped: 0, ms: 0, orphans: 0 };
  return { file, ...counts, failures: [], skips: [], output: '', unfinished: null };
}

/** Adds a failure that belongs to no test case. */
export function addFailure(result: FileResult, name: string, error: string, line: number | null = null): void {
  result.failed += 1;
  result.failures.push({ name, file: result.file, line, error });
}

/** Results of a process with test files. */
export interface Collected {
  /** Results of the files, in their order. */
  results: FileResult[];
  /**
   * Whether the process ended for another reason than the end of its test cases. The file that caused it is unknown.
   */
  isBroken: boolean;
}

/**
 * Collects the events of a process. Its outermost suites are the files; inner suites are part of the names of cases.
 */
class Collector {
  /** Whether the process ended for another reason than the end of its test cases. */
  isBroken = false;
  readonly #results: Map<string, FileResult>;
  readonly #names: string[] = [];
  /**
   * The running case and its suites, outermost first. These events arrive when a case starts, unlike other events,
   * which arrive in the order of the source.
   */
  readonly #atWork: string[] = [];
  #output = '';

  constructor(files: readonly string[]) {
    this.#results = new Map(files.map((file) => [file, emptyResult(file)]));
  }

  /**
   * Returns the results.
   * @param ms duration of the process; time that belongs to no file is distributed over the files
   */
  end(ms: number): Collected {
    const results = [...this.#results.values()];
    const own = results.reduce((sum, one) => sum + one.ms, 0);
    for (const result of results) {
      result.ms += Math.max(ms - own, 0) / results.length;
      result.output = this.#output;
    }
    return { results, isBroken: this.isBroken };
  }

  started(name: string, nesting: number): void {
    this.#names.length = nesting;
    this.#names[nesting] = name;
  }

  began(name: string, nesting: number): void {
    this.#atWork.length = nesting;
    this.#atWork[nesting] = name;
    this.#tellUnfinished();
  }

  completed(nesting: number): void {
    this.#atWork.length = nesting;
    this.#tellUnfinished();
  }

  #tellUnfinished(): void {
    const [file = '', ...names] = this.#atWork;
    const result = this.#results.get(file);
    // A suite that has started stays in this list until one of its cases is reported.
    if (result !== undefined) result.unfinished = names.length > 0 ? names.join(' › ') : 'the file itself';
  }

  #fullName(name: string, nesting: number): string {
    return [...this.#names.slice(1, nesting), name].join(' › ');
  }

  #file(name: string, nesting: number): FileResult | undefined {
    return this.#results.get(nesting === 0 ? name : (this.#names[0] ?? ''));
  }

  passed(data: TestPass): void {
    const result = this.#file(data.name, data.nesting);
    if (result === undefined) return;
    if (data.nesting === 0) this.#over(result, data);
    const why = data.skip ?? data.todo;
    // A suite that is skipped as a whole reports none of its cases.
    if (data.details.type === 'suite' && (why === undefined || why === false)) return;
    if (why === undefined || why === false) {
      result.passed += 1;
      return;
    }
    result.skipped += 1;
    const reason = typeof why === 'string' && why !== '' ? why : 'no reason given';
    result.skips.push({ name: this.#fullName(data.name, data.nesting), file: result.file, reason });
  }

  failed(data: TestFail): void {
    const result = this.#file(data.name, data.nesting);
    const error = data.details.error as CaseError | undefined;
    // No file has this name, so the event belongs to the process.
    if (result === undefined) this.isBroken = true;
    else if (data.nesting === 0) this.#over(result, data);
    if (result === undefined || error?.failureType === 'subtestsFailed') return;
    const name = data.nesting === 0 ? 'the file itself' : this.#fullName(data.name, data.nesting);
    addFailure(result, name, describeError(error?.cause ?? error), data.nesting === 0 ? null : (data.line ?? null));
  }

  #over(result: FileResult, { details }: TestPass): void {
    result.unfinished = null;
    result.ms = details.duration_ms ?? 0;
  }

  wrote(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_LIMIT);
  }
}

type Events = ReturnType<typeof run>;
type TestPass = { name: string; nesting: number; skip?: string | boolean; todo?: string | boolean } & {
  details: { type?: string | undefined; duration_ms?: number };
};
type TestFail = TestPass & { line?: number; details: { error: unknown } };

async function collect(events: Events, collector: Collector): Promise<void> {
  for await (const event of events) {
    switch (event.type) {
      case 'test:dequeue':
        collector.began(event.data.name, event.data.nesting);
        break;
      case 'test:complete':
        collector.completed(event.data.nesting);
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
      // A failure after the end of its case is reported only as a diagnostic. The other diagnostics are counters.
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

/**
 * Runs test files in one separate process and waits for its end.
 * @param env complete environment of the process
 */
export async function collectFiles(files: string[], root: string, env: NodeJS.ProcessEnv): Promise<Collected> {
  const started = performance.now();
  const collector = new Collector(files);
  const path = join(import.meta.dirname, 'file-process.ts');
  await collect(run({ files: [path], argv: [root, ...files], cwd: root, env, concurrency: 1 }), collector);
  return collector.end(performance.now() - started);
}
