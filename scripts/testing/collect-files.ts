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

/** What a process with test files came to. */
export interface Collected {
  /** One of each file, in their order. */
  results: FileResult[];
  /** Whether the process ended otherwise than with the cases of its files, whichever of them it was. */
  isBroken: boolean;
}

/** Collects the events of a process; its outermost suites are the files, and those inside are names on the way to a case. */
class Collector {
  /** Whether the process ended otherwise than with its cases. */
  isBroken = false;
  readonly #results: Map<string, FileResult>;
  readonly #names: string[] = [];
  /** The case at work and its suites, outermost first: told when they begin, where the others are told in their order. */
  readonly #atWork: string[] = [];
  #output = '';

  constructor(files: readonly string[]) {
    this.#results = new Map(files.map((file) => [file, emptyResult(file)]));
  }

  /** @param ms what the process took; what was no file's own is shared among them */
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
    // A suite that was begun is told as long as none of its cases is.
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
    // A suite that is left out whole tells of none of its cases.
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
    // No file has this name: it is the process.
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

/** Runs test files in one process of their own, until that ends. @param env all of its environment */
export async function collectFiles(files: string[], root: string, env: NodeJS.ProcessEnv): Promise<Collected> {
  const started = performance.now();
  const collector = new Collector(files);
  const path = join(import.meta.dirname, 'file-process.ts');
  await collect(run({ files: [path], argv: [root, ...files], cwd: root, env, concurrency: 1 }), collector);
  return collector.end(performance.now() - started);
}
