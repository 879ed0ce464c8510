import { CliError } from './exit.ts';

/** Error for an invalid command line. The field `usage` contains the usage line of the CLI command. */
export class UsageError extends CliError {
  readonly usage: string;

  constructor(message: string, usage = '') {
    super('usage', message);
    this.usage = usage;
  }
}
