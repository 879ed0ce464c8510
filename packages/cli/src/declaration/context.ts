import type { Client } from '@davit/api';
import type { Connection } from '../credentials/choose.ts';
import type { Printer } from '../output/printer.ts';
import type { Environment } from '../process/env.ts';
import type { World } from '../process/world.ts';
import type { Ask } from '../prompts/ask.ts';
import type { GlobalOptions } from './global-options.ts';
import type { CommandSpec } from './specs.ts';

/** What a command gets, beside its own arguments and options. */
export interface Context {
  /**
   * The typed client of the chosen instance.
   * @throws CliError not_signed_in when there is none
   */
  client(): Promise<Client>;
  /** Where that client speaks to, and as whom. @throws CliError not_signed_in */
  connection(): Promise<Connection>;
  /** Every command there is, for completions. */
  commands(): Promise<readonly CommandSpec[]>;
  out: Printer;
  ask: Ask;
  globals: GlobalOptions;
  env: Environment;
  world: World;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
