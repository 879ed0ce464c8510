/** What the shell suggests for an argument. For app, project and context names, the shell calls `davit … list`. */
export type Completion = 'app' | 'project' | 'context' | 'file';

interface ArgumentSpec {
  description: string;
  optional?: boolean;
  /**
   * Whether the argument takes all remaining words of the command line. Only the last argument of a command can do
   * this.
   */
  variadic?: boolean;
  completes?: Completion;
}

export interface OptionSpec {
  description: string;
  /** Letter of the option's short form, such as `q` for `-q`. */
  short?: string;
  /** Name of the option's value in help texts, such as `tag` in `--tag <tag>`. Absent if the option has no value. */
  value?: string;
  choices?: readonly string[];
  repeatable?: boolean;
}

export interface Example {
  line: string;
  /** Description of what the example command does, without a full stop at the end. */
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
 * Declaration of a CLI command. The parser, the help, shell completion and the reference pages use this declaration.
 */
export interface CommandSpec {
  /** Words of the command after `davit`. For example, `davit app deploy` has the path `['app', 'deploy']`. */
  path: readonly string[];
  /** Description of the command in one line, without a full stop. */
  summary: string;
  /** Longer description of the command. It follows the summary in the help and on the reference page. */
  description?: string;
  /** Map from name to argument of the command, in the order of the command line. */
  arguments: Arguments;
  /**
   * Map from name in camel case to option. On the command line, `dryRun` becomes `--dry-run`. An option whose name
   * begins with `no`, such as `noWait`, turns something off.
   */
  options: Options;
  examples: readonly Example[];
}
