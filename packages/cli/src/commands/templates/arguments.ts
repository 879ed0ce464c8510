import { wholeNumber } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';

/** Argument for a template of the catalog. */
export const TEMPLATE = { description: 'the template, as owner/name' } as const;
export const INSTALL = { description: 'its number, as «davit template installed» shows it' } as const;

/**
 * Parses the reference of a template.
 * @throws CliError usage
 */
export function templateOf(reference: string): { owner: string; name: string } {
  const [owner, name, ...more] = reference.split('/');
  if (!owner || !name || more.length > 0)
    throw new CliError(
      'usage',
      `"${reference}" is not a template: write owner/name. List all templates: davit template list`,
    );
  return { owner, name };
}

export function installOf(number: string): { install: string } {
  return { install: String(wholeNumber(number, 'number of an installation')) };
}
