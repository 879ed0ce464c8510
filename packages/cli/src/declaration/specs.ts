/**
 * Kind of values that the shell suggests for an argument. The shell gets app, project and context names from `davit …
 * list`.
 */
export type Completion = 'app' | 'project' | 'context' | 'file';

interface ArgumentSpec {
  description: string;
  optional?: boolean;
  /** Whether the argument takes all remaining words. Only the last argument of a command can be variadic. */
  variadic?: boolean;
  completes?: Completion;
}

export interface OptionSpec {
  description: string;
  /** One letter for the short form of the option, such as `q` for `-q`. */
  short?: string;
  /**
   * Placeholder for the value of the option in help texts, such as `tag` in `--tag <tag>`. Absent if the option takes
   * no value.
   */
  value?: string;
  choices?: readonly string[];
  repeatable?: boolean;
}

export interface Example {
  line: string;
  /** Description of the example, without a full stop. */
  does: string;
}

export type Arguments = Record<string, ArgumentSpec>;
export type Options = Record<string, OptionSpec>;

export type ArgumentValues<A extends Arguments> = {
  [K in keyof A]: A[K] extends { variadic: true; optional: true }
    ? string[] | undefined
    : A[K] extends { variadic: true }
      ? string[]
      : A[K] extends { optional: true }
        ? string | undefined
        : string;
};

export type OptionValues<O extends Options> = {
  [K in keyof O]: O[K] extends { repeatable: true }
    ? string[]
    : O[K] extends { choices: readonly (infer C)[] }
      ? C | undefined
      : O[K] extends { value: string }
        ? string | undefined
        : boolean;
};

/** Declaration of a CLI command. The parser, the help, shell completion and the reference page are derived from it. */
export interface CommandSpec {
  /** Words of the command. For example, `['app', 'deploy']` is declared in `commands/apps/deploy.ts`. */
  path: readonly string[];
  /** Description of the command in one line, without a full stop. */
  summary: string;
  /** Further paragraphs for the help and the reference page of the command. */
  description?: string;
  /** Arguments of the command by name, in the order of the command line. */
  arguments: Arguments;
  /** Options by name in camel case. A name that begins with `no` is a negative option: `noWait` becomes `--no-wait`. */
  options: Options;
  examples: readonly Example[];
}
