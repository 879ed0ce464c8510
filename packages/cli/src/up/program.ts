/** Runs programs for `davit up` and splits their output into lines. */
import { runProgram } from '../process/programs.ts';

export interface ProgramOptions {
  cwd?: string;
  /** All environment variables of the program. Default: the environment variables of the CLI process. */
  env?: Record<string, string | undefined>;
  signal: AbortSignal;
  onLine?: (line: string) => void;
}

export interface Ended {
  code: number;
  output: string;
  /** Last 40 lines of the program's output. */
  tail: string[];
}

/** Error for a program that is not installed. */
export class NoSuchProgram extends Error {
  override name = 'NoSuchProgram';
}

const TAIL_LINES = 40;

/**
 * Runs a program and waits until it ends. A failed program causes no error, so the caller must check the exit code.
 * @throws NoSuchProgram
 * @throws the abort error
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
 * Splits the output of a program into lines. A carriage return also ends a line, because progress bars use carriage
 * returns. Empty lines are omitted.
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
