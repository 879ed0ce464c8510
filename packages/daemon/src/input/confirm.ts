import { invalidField } from '@davit/api';

/**
 * Checks the confirmation of a destructive action. The caller must repeat the name of the resource, so that it is not
 * destroyed by mistake.
 * @param what kind of the resource, for the text “the …’s name”
 * @throws DavitError invalid_input if the name differs
 */
export function demandConfirm(confirm: string | undefined, name: string, what: string): void {
  if (confirm !== name) throw invalidField('confirm', 'mismatch', `must be the name of the ${what}, ${name}.`);
}
