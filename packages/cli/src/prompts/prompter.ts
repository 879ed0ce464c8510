import { CliError } from '../errors/exit.ts';
import { safeLine } from '../output/safe-text.ts';
import type { Runtime } from '../process/runtime.ts';

/** Functions that prompt in the terminal or read from stdin. */
export interface Prompter {
  /** Whether the CLI can prompt the user. Prompts are possible only if stdin and stderr are a terminal. */
  readonly isPossible: boolean;
  /**
   * Prompts for a text.
   * @throws CliError with exit `interrupted` if the user cancels
   */
  text(question: string, options?: { placeholder?: string; initial?: string }): Promise<string>;
  /** Prompts for a secret text, such as a password. The typed characters are not shown. */
  secret(question: string): Promise<string>;
  choose<T extends string>(question: string, options: readonly { value: T; label: string }[]): Promise<T>;
  /** Reads all lines from stdin. Used outside a terminal. */
  lines(): Promise<string[]>;
}

const MOST_INPUT_BYTES = 65_536;

export function createPrompter(runtime: Runtime): Prompter {
  const { stdin, signal } = runtime;
  // Prompts are printed to stderr, because the user may pipe stdout of the command into another command.
  const common = { input: stdin, output: runtime.stderr, signal };
  const prompts = () => import('@clack/prompts');
  const isPossible = stdin.isTTY === true && runtime.stderr.isTTY === true;
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
    lines: () => readLines(runtime),
  };
}

/**
 * Returns the text that the user entered. If the user cancels the prompt, for example with Ctrl-C, the prompt library
 * returns a symbol.
 */
function answered(answer: unknown): string {
  if (typeof answer === 'symbol') throw new CliError('interrupted', 'Canceled. Nothing was changed.');
  return String(answer ?? '');
}

async function readLines({ stdin }: Runtime): Promise<string[]> {
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
