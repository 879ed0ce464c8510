import { invalidField } from '@davit/api';

/**
 * Checks the confirmation of a destructive API request. The request must repeat the name of the resource, to prevent a
 * deletion by mistake.
 * @param what kind of resource for the error message, for example `database`
 * @throws DavitError invalid_input if the confirmed name differs
 */
export function demandConfirm(confirm: string | undefined, name: string, what: string): void {
  if (confirm !== name) throw invalidField('confirm', 'mismatch', `must be the name of the ${what}, “${name}”.`);
}
