import { CliError } from '../errors/exit.ts';
import type { Prompter } from './prompter.ts';

/**
 * Prompts for a secret, or reads it from a line of stdin. The secret is not an argument, because other users can see
 * arguments.
 * @throws CliError with exit `usage` if stdin is empty
 */
export async function oneSecret(prompter: Prompter, question: string): Promise<string> {
  if (prompter.isPossible) return prompter.secret(question);
  const [line = ''] = await prompter.lines();
  if (line === '') throw new CliError('usage', `${question} stdin is empty, and there is no terminal for a prompt.`);
  return line;
}
