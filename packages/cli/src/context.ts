import type { Client } from '@davit/api';
import type { Ask } from './ask.ts';
import type { GlobalOptions } from './command.ts';
import type { Connection } from './credentials/choose.ts';
import type { Environment } from './env.ts';
import type { Printer } from './output/printer.ts';
import type { World } from './world.ts';

/** What a command gets, beside its own arguments and options. */
export interface Context {
  /**
   * The typed client of the chosen instance.
   * @throws CliError not_signed_in when there is none
   */
  client(): Promise<Client>;
  /** Where that client speaks to, and as whom. @throws CliError not_signed_in */
  connection(): Promise<Connection>;
  out: Printer;
  ask: Ask;
  globals: GlobalOptions;
  env: Environment;
  world: World;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
