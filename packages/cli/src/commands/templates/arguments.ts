import { wholeNumber } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';

export const TEMPLATE = { description: 'template, as owner/name' } as const;
export const INSTALL = { description: 'ID of the installation (see `davit template installed`)' } as const;

/** @throws CliError with exit `usage` if the reference is not `owner/name` */
export function templateOf(reference: string): { owner: string; name: string } {
  const [owner, name, ...more] = reference.split('/');
  if (!owner || !name || more.length > 0)
    throw new CliError(
      'usage',
      `"${reference}" is not a template: write owner/name. List all templates: davit template list`,
    );
  return { owner, name };
}

export function installOf(id: string): { install: string } {
  return { install: String(wholeNumber(id, 'ID of an installation')) };
}
