/** What a shell can complete an argument with: names that the instance knows. */
export type Completion = 'app' | 'project' | 'context' | 'file';

interface ArgumentSpec {
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

/** What a command is declared with: the grammar, the help, completions and the reference page derive from it. */
export interface CommandSpec {
  /** `['app', 'deploy']`: the file is `commands/apps/deploy.ts`. */
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
}
