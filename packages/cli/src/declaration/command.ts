import type { Context } from './context.ts';
import type { Arguments, ArgumentValues, CommandSpec, Example, Options, OptionValues } from './specs.ts';

/** CLI command: its declaration and the function that runs it. */
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
   * @returns the exit code. No value means exit code 0
   * @throws CliError
   * @throws DavitError if an API request fails
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(context: Context & { args: ArgumentValues<A>; options: OptionValues<O> }): Promise<number | void>;
}

/** Declares a CLI command. TypeScript infers the types of the arguments and options that `run` receives. */
export function defineCommand<
  // biome-ignore lint/complexity/noBannedTypes: `{}` means that the command has no arguments
  const A extends Arguments = {},
  // biome-ignore lint/complexity/noBannedTypes: `{}` means that the command has no options
  const O extends Options = {},
>(declaration: Declaration<A, O>): Command {
  return { arguments: {}, options: {}, ...declaration } as unknown as Command;
}
