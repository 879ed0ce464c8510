import { CliError } from './exit.ts';

/** A command line that makes no sense: one sentence, and the usage of the command that was meant. */
export class UsageError extends CliError {
  readonly usage: string;

  constructor(message: string, usage = '') {
    super('usage', message);
    this.usage = usage;
  }
}
