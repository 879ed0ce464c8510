/** Values with which a shell completes an argument. The instance provides the names. */
export type Completion = 'app' | 'project' | 'context' | 'file';

interface ArgumentSpec {
  description: string;
  optional?: boolean;
  /** Whether the argument takes all remaining words. Only for the last argument. */
  variadic?: boolean;
  completes?: Completion;
}

export interface OptionSpec {
  description: string;
  /** Short option of one letter. */
  short?: string;
  /** Placeholder of the value, as in `--tag <tag>`. Absent if the option takes no value. */
  value?: string;
  choices?: readonly string[];
  /** Whether the option can be given several times. */
  repeatable?: boolean;
}

export interface Example {
  line: string;
  /** Description without a full stop. */
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

/** Declaration of a command. Its grammar, help, completions and reference page are derived from it. */
export interface CommandSpec {
  /** Words of the command. `['app', 'deploy']` is in `commands/apps/deploy.ts`. */
  path: readonly string[];
  /** One line without a full stop. */
  summary: string;
  /** Paragraphs for the help and the reference page. */
  description?: string;
  /** Arguments by name, in order. */
  arguments: Arguments;
  /** Options by name in camel case. A name with the prefix `no` is a negative option: `noWait` is `--no-wait`. */
  options: Options;
  examples: readonly Example[];
}
