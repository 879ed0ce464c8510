import type { Context } from './context.ts';

/** What a shell can complete an argument with: names that the instance knows. */
export type Completion = 'app' | 'project' | 'context' | 'file';

export interface ArgumentSpec {
  description: string;
  optional?: boolean;
  /** All that is left; only the last one. */
  variadic?: boolean;
  completes?: Completion;
}

export interface OptionSpec {
  description: string;
  /** One letter. */
  short?: string;
  /** What it takes, as in `--tag <tag>`; absent: it is there or not. */
  value?: string;
  choices?: readonly string[];
  /** It may be given several times. */
  repeatable?: boolean;
}

export interface Example {
  line: string;
  /** What it does, without a full stop. */
  does: string;
}

type Arguments = Record<string, ArgumentSpec>;
type Options = Record<string, OptionSpec>;

type ArgumentValues<A extends Arguments> = {
  [K in keyof A]: A[K] extends { variadic: true; optional: true }
    ? string[] | undefined
    : A[K] extends { variadic: true }
      ? string[]
      : A[K] extends { optional: true }
        ? string | undefined
        : string;
};

type OptionValues<O extends Options> = {
  [K in keyof O]: O[K] extends { repeatable: true }
    ? string[]
    : O[K] extends { choices: readonly (infer C)[] }
      ? C | undefined
      : O[K] extends { value: string }
        ? string | undefined
        : boolean;
};

/** One command, declared once: the grammar, the help, completions and the reference page derive from it. */
export interface Command {
  /** `['app', 'deploy']`: the file is `commands/app/deploy.ts`. */
  path: readonly string[];
  /** One line without a full stop. */
  summary: string;
  /** Paragraphs, for the help and the reference page. */
  description?: string;
  /** By name, in their order. */
  arguments: Arguments;
  /** By name in camel case; one that begins with `no` takes something away: `noWait` is `--no-wait`. */
  options: Options;
  examples: readonly Example[];
  run(context: Context & { args: never; options: never }): Promise<number | undefined>;
}

interface Declaration<A extends Arguments, O extends Options>
  extends Omit<Command, 'arguments' | 'options' | 'run' | 'examples'> {
  arguments?: A;
  options?: O;
  examples: readonly [Example, ...Example[]];
  /**
   * What it does.
   * @returns an exit code of its own, where 0 is not it
   * @throws CliError, or the DavitError of a request
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands answer nothing, and need not say so
  run(context: Context & { args: ArgumentValues<A>; options: OptionValues<O> }): Promise<number | void>;
}

/** Declares a command, so that `run` gets its arguments and options in their types. */
export function defineCommand<
  // biome-ignore lint/complexity/noBannedTypes: without arguments there is no name to ask for
  const A extends Arguments = {},
  // biome-ignore lint/complexity/noBannedTypes: the same of options
  const O extends Options = {},
>(declaration: Declaration<A, O>): Command {
  return { arguments: {}, options: {}, ...declaration } as unknown as Command;
}

/** The options that every command takes. */
export const GLOBAL_OPTIONS = {
  json: { description: 'print the API’s answer as JSON; errors too, on stderr' },
  quiet: { short: 'q', description: 'print ids only, and no notes' },
  yes: { short: 'y', description: 'do not ask: go on with what destroys something' },
  context: { value: 'name', description: 'use this context instead of the current one' },
  local: { description: 'speak to the instance on this machine, through the socket in its data directory' },
  noColor: { description: 'no colour' },
} as const satisfies Options;

export type GlobalOptions = OptionValues<typeof GLOBAL_OPTIONS>;
