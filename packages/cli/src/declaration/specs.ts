/**
 * Kind of words that shell completion suggests for an argument. To get the names of apps, projects and contexts, the
 * shell calls `davit … list`.
 */
export type Completion = 'app' | 'project' | 'context' | 'file';

interface ArgumentSpec {
  description: string;
  optional?: boolean;
  /**
   * Whether the argument receives all remaining words of the command line. This is possible only for the last argument
   * of a command.
   */
  variadic?: boolean;
  completes?: Completion;
}

export interface OptionSpec {
  description: string;
  /** Letter of the option's short form, such as `q` for `-q`. */
  short?: string;
  /** Name of the option's value in the help, such as `tag` in `--tag <tag>`. Absent if the option has no value. */
  value?: string;
  choices?: readonly string[];
  repeatable?: boolean;
}

export interface Example {
  line: string;
  /** Description of the example command, without a full stop at the end. */
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

/**
 * Declaration of a CLI command. The parser, the help, shell completion and the reference pages all use this
 * declaration.
 */
export interface CommandSpec {
  /** Words of the command after `davit`. For example, `davit app deploy` has the path `['app', 'deploy']`. */
  path: readonly string[];
  /** One-line description of the command, without a full stop. */
  summary: string;
  /** Longer description of the command. The help and the reference page show it below the summary. */
  description?: string;
  /** Map from name to argument of the command, in command-line order. */
  arguments: Arguments;
  /**
   * Map from camel-case name to option. On the command line, `dryRun` becomes `--dry-run`. An option that turns
   * something off has a name that starts with `no`, such as `noWait`.
   */
  options: Options;
  examples: readonly Example[];
}
