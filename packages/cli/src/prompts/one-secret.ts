import { CliError } from '../errors/exit.ts';
import type { Ask } from './ask.ts';

/**
 * Asks for a secret without showing it, or reads it from stdin without a terminal. Secrets are never arguments, which
 * other users of the machine can read.
 * @throws CliError usage if there is no secret
 */
export async function oneSecret(ask: Ask, question: string): Promise<string> {
  if (ask.isPossible) return ask.secret(question);
  const [line = ''] = await ask.lines();
  if (line === '') throw new CliError('usage', `${question} stdin is empty, and there is no terminal for a prompt.`);
  return line;
}
