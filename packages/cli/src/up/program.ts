/** Runs programs for `davit up`, with their output line by line. */
import { runProgram } from '../process/programs.ts';

export interface ProgramOptions {
  cwd?: string;
  /** Complete environment of the program. Default: that of this process. */
  env?: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Receives each line of stdout and stderr as it is written. */
  onLine?: (line: string) => void;
}

export interface Ended {
  code: number;
  output: string;
  /** Last lines of the output. */
  tail: string[];
}

/** The program is not installed on this machine. */
export class NoSuchProgram extends Error {
  override name = 'NoSuchProgram';
}

const TAIL_LINES = 40;

/**
 * Runs a program to its end, whatever its exit code is.
 * @throws NoSuchProgram
 * @throws the error of an abort
 */
export async function runByLines(program: string, args: readonly string[], options: ProgramOptions): Promise<Ended> {
  const { onLine, signal, cwd, env } = options;
  const lines = new LineReader(onLine ?? (() => undefined));
  const onOutput = (text: string) => lines.push(text);
  const ended = await runProgram(program, args, {
    signal,
    onOutput,
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
  });
  if (ended === null) throw new NoSuchProgram(`run ${program}: it is not installed`);
  lines.end();
  return { code: ended.code ?? 1, output: ended.output, tail: lines.tail };
}

/**
 * Assembles lines from chunks. A single carriage return also ends a line, as in progress bars. Empty lines are dropped.
 */
class LineReader {
  readonly tail: string[] = [];
  readonly #take: (line: string) => void;
  #rest = '';

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#give(line);
  }

  end(): void {
    this.#give(this.#rest);
    this.#rest = '';
  }

  #give(line: string): void {
    if (line.trim() === '') return;
    this.tail.push(line.trimEnd());
    if (this.tail.length > TAIL_LINES) this.tail.shift();
    this.#take(line.trimEnd());
  }
}
