import type { Context } from './context.ts';
import type { Arguments, ArgumentValues, CommandSpec, Example, Options, OptionValues } from './specs.ts';

/** A command: its declaration and its implementation. */
export interface Command extends CommandSpec {
  run(context: Context & { args: never; options: never }): Promise<number | undefined>;
}

interface Declaration<A extends Arguments, O extends Options>
  extends Omit<Command, 'arguments' | 'options' | 'run' | 'examples'> {
  arguments?: A;
  options?: O;
  examples: readonly [Example, ...Example[]];
  /**
   * Runs the command.
   * @returns an exit code if it is not 0
   * @throws CliError
   * @throws DavitError of a request
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands answer nothing, and need not say so
  run(context: Context & { args: ArgumentValues<A>; options: OptionValues<O> }): Promise<number | void>;
}

/** Declares a command, so that `run` gets its arguments and options with their types. */
export function defineCommand<
  // biome-ignore lint/complexity/noBannedTypes: without arguments there is no name to ask for
  const A extends Arguments = {},
  // biome-ignore lint/complexity/noBannedTypes: the same of options
  const O extends Options = {},
>(declaration: Declaration<A, O>): Command {
  return { arguments: {}, options: {}, ...declaration } as unknown as Command;
}
