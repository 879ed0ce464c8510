import { CliError } from '../errors/exit.ts';
import { safeLine } from '../output/safe-text.ts';
import type { World } from '../process/world.ts';

/** Asks a person questions at a terminal. */
export interface Ask {
  /** Whether there is a terminal for questions. */
  readonly isPossible: boolean;
  /**
   * Asks for a text.
   * @throws CliError interrupted if the user cancels
   */
  text(question: string, options?: { placeholder?: string; initial?: string }): Promise<string>;
  /** Asks for a text and hides the input. */
  secret(question: string): Promise<string>;
  choose<T extends string>(question: string, options: readonly { value: T; label: string }[]): Promise<T>;
  /** Returns the lines that a program provides on stdin. */
  lines(): Promise<string[]>;
}

const MOST_INPUT_BYTES = 65_536;

export function createAsk(world: World): Ask {
  const { stdin, signal } = world;
  // Questions go to stderr, because the output of a command may be piped.
  const common = { input: stdin, output: world.stderr, signal };
  const prompts = () => import('@clack/prompts');
  const isPossible = stdin.isTTY === true && world.stderr.isTTY === true;
  return {
    isPossible,
    text: async (question, { placeholder, initial } = {}) => {
      const { text } = await prompts();
      const more = { ...(placeholder && { placeholder }), ...(initial && { initialValue: initial }) };
      return answered(await text({ ...common, ...more, message: safeLine(question) }));
    },
    secret: async (question) => {
      const { password } = await prompts();
      return answered(await password({ ...common, message: safeLine(question) }));
    },
    choose: async (question, options) => {
      const { select } = await prompts();
      const shown = options.map(({ value, label }) => ({ value, label: safeLine(label) }));
      const answer: unknown = await select<string>({ ...common, message: safeLine(question), options: shown });
      return answered(answer) as never;
    },
    lines: () => readLines(world),
  };
}

/** Canceling a question has the same effect as Ctrl-C, whatever key was pressed. */
function answered(answer: unknown): string {
  if (typeof answer === 'symbol') throw new CliError('interrupted', 'Canceled. Nothing was changed.');
  return String(answer ?? '');
}

async function readLines({ stdin }: World): Promise<string[]> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stdin) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > MOST_INPUT_BYTES) throw new CliError('usage', 'The input on stdin is too large. Nothing was changed.');
    pieces.push(buffer);
  }
  const lines = Buffer.concat(pieces).toString('utf8').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
