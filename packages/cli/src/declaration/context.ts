import type { Client } from '@davit/api';
import type { Connection } from '../credentials/choose.ts';
import type { Printer } from '../output/printer.ts';
import type { Environment } from '../process/env.ts';
import type { World } from '../process/world.ts';
import type { Ask } from '../prompts/ask.ts';
import type { GlobalOptions } from './global-options.ts';
import type { CommandSpec } from './specs.ts';

/** Environment of a command, besides its arguments and options. */
export interface Context {
  /**
   * Returns the typed client of the selected instance.
   * @throws CliError not_signed_in if no instance is selected
   */
  client(): Promise<Client>;
  /**
   * Returns the URL and the credentials of the client.
   * @throws CliError not_signed_in
   */
  connection(): Promise<Connection>;
  /** Returns all commands, for completions. */
  commands(): Promise<readonly CommandSpec[]>;
  out: Printer;
  ask: Ask;
  globals: GlobalOptions;
  env: Environment;
  world: World;
  /** Signal that Ctrl-C aborts. */
  signal: AbortSignal;
}
