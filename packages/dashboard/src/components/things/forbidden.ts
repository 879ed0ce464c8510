/**
 * Object with one entry for each permission. The entry is the reason why the signed-in user does not have the
 * permission, or `null` if the user has it.
 */
export interface Forbidden {
  operate: string | null;
  administer: string | null;
}
