import { CliError } from './exit.ts';

/** An invalid command line: one sentence, and the usage of the matching command. */
export class UsageError extends CliError {
  readonly usage: string;

  constructor(message: string, usage = '') {
    super('usage', message);
    this.usage = usage;
  }
}
