import { count } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { type Mistake, showMistake } from './excerpt.ts';

/**
 * Prints the errors of a file with their positions, and returns the error that ends the command.
 * @param name path of the file for messages
 * @param text complete content of the file
 */
export function refusedFile({ out }: Pick<Context, 'out'>, name: string, text: string, mistakes: Mistake[]): CliError {
  if (out.isJson)
    return new CliError('usage', mistakes.map((one) => `${name}:${one.line}:${one.column}: ${one.message}`).join('; '));
  for (const mistake of mistakes) out.explain(`${showMistake(name, text, mistake)}\n`);
  return new CliError('usage', `${name} has ${count(mistakes.length, 'error')}. Nothing was changed.`);
}
