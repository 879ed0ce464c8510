import { invalidField } from '@davit/api';

/**
 * What destroys is asked for by name, so that nobody destroys what he did not mean.
 * @param what as in «the …’s name»
 * @throws DavitError invalid_input
 */
export function demandConfirm(confirm: string | undefined, name: string, what: string): void {
  if (confirm !== name) throw invalidField('confirm', 'mismatch', `must be the ${what}’s name, ${name}.`);
}
