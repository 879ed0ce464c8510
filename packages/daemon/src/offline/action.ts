import { parseArgs } from 'node:util';

/** Message of an action to its caller. */
export interface ActionEvent {
  kind: 'plan' | 'removed' | 'result' | 'error';
  /** Sentences for the operator. */
  lines: string[];
  /** The same information as data. */
  data: unknown;
}

/** Name of an exit code of the command line, for errors of actions. */
export type ActionExit = 'failed' | 'usage' | 'not_found' | 'conflict' | 'busy';

/** Error that ends an action. The message contains what the operator must do. */
export class ActionFailed extends Error {
  override name = 'ActionFailed';
  readonly exit: ActionExit;

  constructor(exit: ActionExit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}

export type Emit = (event: ActionEvent) => void;

/** Output of an action, and its input from stdin. */
export interface ActionStreams {
  emit: Emit;
  /** Reads stdin to its end. */
  input: () => Promise<string>;
}

/** Action of the daemon program, for example `uninstall`. Returns the exit code of the process. */
export type Action = (args: string[], streams: ActionStreams) => Promise<number>;

type Flags = Record<string, 'boolean' | 'string'>;

interface Split {
  own: Record<string, string | boolean | undefined>;
  settings: string[];
}

/** Separates the flags of an action from the settings of the daemon, such as `--data-dir`. */
export function splitFlags(args: readonly string[], flags: Flags): Split {
  const own: string[] = [];
  const settings: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const flag = args[at] ?? '';
    const name = flag.replace(/^--/, '').replace(/=.*$/, '');
    const target = Object.hasOwn(flags, name) ? own : settings;
    target.push(flag);
    const takesNext = !flag.includes('=') && flags[name] !== 'boolean';
    if (takesNext && at + 1 < args.length) target.push(args[++at] ?? '');
  }
  const options = Object.fromEntries(Object.entries(flags).map(([name, type]) => [name, { type }]));
  return { own: parseArgs({ args: own, options }).values, settings };
}
