import type { Client } from '@davit/api';
import type { Connection } from '../credentials/choose.ts';
import type { Printer } from '../output/printer.ts';
import type { Environment } from '../process/env.ts';
import type { Runtime } from '../process/runtime.ts';
import type { Prompter } from '../prompts/prompter.ts';
import type { GlobalOptions } from './global-options.ts';
import type { CommandSpec } from './specs.ts';

/**
 * Data and functions for a CLI command, such as the API client, the output and the prompts. The arguments and options
 * of the command are separate.
 */
export interface Context {
  /**
   * Returns the API client for the selected instance.
   * @throws CliError with exit `not_signed_in` if no instance is selected
   */
  client(): Promise<Client>;
  /**
   * Returns the URL and the credentials of the selected instance.
   * @throws CliError with exit `not_signed_in` if no instance is selected
   */
  connection(): Promise<Connection>;
  /** Loads the declarations of all CLI commands, for shell completion. */
  commands(): Promise<readonly CommandSpec[]>;
  out: Printer;
  ask: Prompter;
  globals: GlobalOptions;
  env: Environment;
  world: Runtime;
  /** Signal that is aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
}
