import { invalidField } from '@davit/api';

/**
 * Requires that a destructive API request repeats the name of the resource.
 * @param what kind of resource, such as `database`
 * @throws DavitError invalid_input
 */
export function demandConfirm(confirm: string | undefined, name: string, what: string): void {
  if (confirm !== name) throw invalidField('confirm', 'mismatch', `must be the name of the ${what}, “${name}”.`);
}
