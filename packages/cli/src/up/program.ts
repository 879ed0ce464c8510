/** Programs that `davit up` needs, with their output line by line. */
import { runProgram } from '../process/programs.ts';

export interface ProgramOptions {
  cwd?: string;
  signal: AbortSignal;
  /** Hears each line as it is written, of both outputs alike. */
  onLine?: (line: string) => void;
}

interface Ended {
  code: number;
  output: string;
  /** The last lines. */
  tail: string[];
}

/** The program is not on this machine. */
export class NoSuchProgram extends Error {
  override name = 'NoSuchProgram';
}

const TAIL_LINES = 40;

/** Runs a program to its end, whatever its exit code. @throws NoSuchProgram; what an abort is told with */
export async function runByLines(program: string, args: readonly string[], options: ProgramOptions): Promise<Ended> {
  const { onLine, signal, cwd } = options;
  const lines = new LineReader(onLine ?? (() => undefined));
  const onOutput = (text: string) => lines.push(text);
  const ended = await runProgram(program, args, { signal, onOutput, ...(cwd !== undefined && { cwd }) });
  if (ended === null) throw new NoSuchProgram(`run ${program}: it is not installed`);
  lines.end();
  return { code: ended.code ?? 1, output: ended.output, tail: lines.tail };
}

/** Whole lines from pieces; a return alone ends one too, as progress bars write it. Empty ones say nothing. */
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
