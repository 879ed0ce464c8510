import { flagName } from '../declaration/flag-name.ts';
import { GLOBAL_OPTIONS } from '../declaration/global-options.ts';
import { NOUNS, SHORTCUTS } from '../declaration/nouns.ts';
import type { CommandSpec, Completion, OptionSpec } from '../declaration/specs.ts';

/** Word that shell completion suggests, with a short description. */
export interface Word {
  word: string;
  about: string;
}

/** Data of one CLI command for shell completion: its words, its options, and the kind of its first argument. */
export interface CompletedCommand {
  words: string;
  about: string;
  options: Word[];
  /**
   * Options with a value, such as `--context`. After such an option, shell completion suggests neither command words
   * nor options.
   */
  valued: string[];
  completes: Completion | undefined;
}

/** Data from which the shell completion scripts are generated. */
export interface Grammar {
  /** First words after `davit` on the command line: nouns such as `app`, and commands with only one word. */
  first: Word[];
  /** Words after the noun of a command, such as `deploy` in `davit app deploy`. */
  second: [noun: string, verbs: Word[]][];
  commands: CompletedCommand[];
}

export function grammarOf(commands: readonly CommandSpec[]): Grammar {
  const nouns = Object.entries(NOUNS);
  const tops = commands.filter(({ path }) => path.length === 1);
  const shortcuts = Object.entries(SHORTCUTS).flatMap(([name, target]) => {
    const command = commands.find(({ path }) => path.join(' ') === target);
    return command ? [{ name, command }] : [];
  });
  return {
    first: [
      ...nouns.map(([word, about]) => ({ word, about })),
      ...tops.map(({ path, summary }) => ({ word: path[0] ?? '', about: summary })),
      ...shortcuts.map(({ name, command }) => ({ word: name, about: command.summary })),
    ],
    second: nouns.map(([noun]) => [
      noun,
      commands
        .filter(({ path }) => path.length === 2 && path[0] === noun)
        .map(({ path, summary }) => ({ word: path[1] ?? '', about: summary })),
    ]),
    commands: [
      ...commands.map((command) => completed(command.path.join(' '), command)),
      ...shortcuts.map(({ name, command }) => completed(name, command)),
    ],
  };
}

function completed(words: string, { summary, options, arguments: args }: CommandSpec): CompletedCommand {
  const all: [string, OptionSpec][] = [...Object.entries<OptionSpec>(options), ...Object.entries(GLOBAL_OPTIONS)];
  const [first] = Object.values(args);
  return {
    words,
    about: summary,
    options: [...all.map(([name, { description }]) => ({ word: `--${flagName(name)}`, about: description })), HELP],
    valued: all.flatMap(([name, { value, short }]) =>
      value === undefined ? [] : [`--${flagName(name)}`, ...(short === undefined ? [] : [`-${short}`])],
    ),
    completes: first?.completes,
  };
}

const HELP: Word = { word: '--help', about: 'print this help' };
