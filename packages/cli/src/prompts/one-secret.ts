import { CliError } from '../errors/exit.ts';
import type { Ask } from './ask.ts';

/**
 * A secret, asked for without showing it, or read from stdin where there is no terminal: never an argument, which
 * everybody on the machine can read.
 * @throws CliError usage when there is none
 */
export async function oneSecret(ask: Ask, question: string): Promise<string> {
  if (ask.isPossible) return ask.secret(question);
  const [line = ''] = await ask.lines();
  if (line === '')
    throw new CliError('usage', `${question} nothing came on stdin, and there is no terminal to ask at.`);
  return line;
}
