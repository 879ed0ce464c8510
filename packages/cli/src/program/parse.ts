import { type CommanderError, Option, Command as Program } from 'commander';
import { COMMANDS, isCommand } from '../commands/index.ts';
import type { Loader } from '../commands/loader.ts';
import type { Command } from '../declaration/command.ts';
import { flagName } from '../declaration/flag-name.ts';
import { GLOBAL_OPTIONS, type GlobalOptions } from '../declaration/global-options.ts';
import { NOUNS, SHORTCUTS } from '../declaration/nouns.ts';
import type { OptionSpec } from '../declaration/specs.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Runtime } from '../process/runtime.ts';
import { VERSION } from '../version.ts';
import { helpFor, lineUsage } from './help.ts';

type Parsed =
  | { kind: 'shown' }
  | {
      kind: 'command';
      command: Command;
      globals: GlobalOptions;
      values: { args: Record<string, unknown>; options: Record<string, unknown> };
    };

/**
 * Parses a command line. If the user requests the help or the version, prints it. Loads only the declaration of the
 * given command.
 * @throws UsageError
 */
export async function parseCommandLine(given: readonly string[], runtime: Runtime): Promise<Parsed> {
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : [...given];
  const { operands, unknown } = addGlobals(new Program()).parseOptions(args);
  const [first = '', second = ''] = operands;
  let parsed: Parsed = { kind: 'shown' };
  const program = addGlobals(prepare(new Program('davit'), runtime).usage('<command>').helpCommand(false));
  program.version(VERSION, '-V, --version', 'print the version');
  const take = (command: Command, leaf: Program) => {
    parsed = { kind: 'command', command, ...valuesOf(command, leaf) };
  };
  await addCommands(program, first, second, take);
  const half = halfCommand(program, operands);
  // For an incomplete command, such as `davit app`, the help is printed. An unknown option is an error.
  if (half && unknown.every((option) => option === '-h' || option === '--help')) {
    half.outputHelp();
    return parsed;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!isShown(error)) throw error;
  }
  return parsed;
}

/**
 * Returns the command whose help must be printed. This is necessary if the command line is empty or contains only the
 * first word of a command.
 */
function halfCommand(program: Program, [first, second]: readonly string[]): Program | undefined {
  if (first === undefined) return program;
  if (second !== undefined) return undefined;
  return program.commands.find((one) => one.name() === first && one.commands.length > 0);
}

function isShown(error: unknown): boolean {
  const { code } = error as CommanderError;
  return code === 'commander.helpDisplayed' || code === 'commander.version' || code === 'commander.help';
}

type Take = (command: Command, leaf: Program) => void;

/**
 * Adds all command names, so that the library `commander` can suggest a similar name. Options and arguments are loaded
 * only if they are needed.
 */
async function addCommands(program: Program, first: string, second: string, take: Take): Promise<void> {
  const nouns = new Map(Object.entries(NOUNS).map(([noun, about]) => [noun, nounOf(noun, about, program)]));
  const isWanted = wantedBy(first, second);
  for (const [name, load] of [...Object.entries(COMMANDS), ...shortcuts()]) {
    const [top = '', verb] = name.split(' ');
    const leaf = prepare((verb === undefined ? program : nouns.get(top))?.command(verb ?? top) ?? new Program(), null);
    if (isWanted(top, verb)) declare(leaf, (await load()).command, take);
  }
  for (const noun of nouns.values()) program.addCommand(noun.helpGroup('Commands by resource:'));
}

function nounOf(noun: string, about: string, program: Program): Program {
  const one = new Program(noun).copyInheritedSettings(program);
  return prepare(one, null).description(about).usage('<command>').helpCommand(false);
}

/**
 * Returns a function that decides whether to load the declaration of a command. A help page needs several declarations.
 */
function wantedBy(first: string, second: string): (top: string, verb: string | undefined) => boolean {
  if (first in NOUNS) return (top, verb) => top === first && (verb === second || !isCommand([first, second]));
  return (top, verb) => verb === undefined && (top === first || !isCommand([first]));
}

function shortcuts(): [string, Loader][] {
  return Object.entries(SHORTCUTS).map(([name, path]) => [name, COMMANDS[path] as Loader]);
}

/** Declares the arguments and options of a command for the library `commander`. */
function declare(leaf: Program, command: Command, take: Take): void {
  leaf.summary(command.summary).description([command.summary, command.description ?? ''].filter(Boolean).join('.\n\n'));
  for (const [name, { description, optional, variadic }] of Object.entries(command.arguments)) {
    const shown = variadic ? `${name}...` : name;
    leaf.argument(optional ? `[${shown}]` : `<${shown}>`, description);
  }
  for (const [name, spec] of Object.entries(command.options)) leaf.addOption(optionOf(name, spec));
  leaf.addHelpText('after', () => `\n${helpFor(command, leaf)}`);
  leaf.action(() => take(command, leaf));
}

function optionOf(name: string, { description, short, value, choices, repeatable }: OptionSpec): Option {
  const flag = `--${flagName(name)}${value ? ` <${value}>` : ''}`;
  const option = new Option(
    short ? `-${short}, ${flag}` : flag,
    repeatable ? `${description} (can be repeated)` : description,
  );
  if (choices) option.choices([...choices]);
  if (repeatable) option.argParser<string[]>((one, before = []) => [...before, one]);
  return option;
}

function addGlobals(program: Program): Program {
  for (const [name, spec] of Object.entries(GLOBAL_OPTIONS)) program.addOption(optionOf(name, spec));
  return program;
}

const HELP = { showGlobalOptions: true, subcommandTerm: (one: Program) => one.name() };

/**
 * Configures the library `commander` to throw errors. By default, `commander` ends the process and prints its own error
 * messages.
 */
function prepare(program: Program, runtime: Runtime | null): Program {
  program.helpOption('-h, --help', 'print this help').configureHelp(HELP);
  if (runtime) {
    program.configureOutput({
      writeOut: (text) => void runtime.stdout.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => (runtime.stdout.isTTY && runtime.stdout.columns) || 80,
      getOutHasColors: () => false,
    });
  }
  program.exitOverride((error) => {
    if (isShown(error)) throw error;
    throw new UsageError(sentenceOf(error.message), lineUsage(program));
  });
  return program;
}

/**
 * Converts an error message of the library `commander` to a sentence. An example is `error: unknown option '--x'\n(Did
 * you mean --y?)`.
 */
function sentenceOf(message: string): string {
  const [problem = '', hint = ''] = message.replace(/^error: /, '').split('\n');
  const words = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`
    .replace(/\.$/, '')
    .replaceAll(/'([^']*)'/g, '"$1"');
  const meant = /\(Did you mean (?:one of )?(.*?)\?\)/.exec(hint)?.[1];
  return meant ? `${words}. Did you mean ${meant}?` : `${words}.`;
}

function valuesOf(command: Command, leaf: Program) {
  const given = leaf.optsWithGlobals<Record<string, unknown>>();
  const args = Object.fromEntries(
    Object.keys(command.arguments).map((name, index) => [name, leaf.processedArgs[index]]),
  );
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, spec]) => [name, valueOf(name, spec, given)]),
  );
  const globals = Object.fromEntries(
    Object.entries(GLOBAL_OPTIONS).map(([name, spec]) => [name, valueOf(name, spec, given)]),
  );
  return { values: { args, options }, globals: globals as unknown as GlobalOptions };
}

function valueOf(name: string, spec: OptionSpec, given: Record<string, unknown>): unknown {
  if (spec.repeatable) return given[name] ?? [];
  if (spec.value) return given[name];
  // The library `commander` stores the option `--no-wait` as `wait: false`.
  const positive = /^no([A-Z])(.*)$/.exec(name);
  if (positive) return given[`${positive[1]?.toLowerCase()}${positive[2]}`] === false;
  return given[name] === true;
}
