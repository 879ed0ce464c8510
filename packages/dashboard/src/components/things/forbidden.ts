/**
 * For each permission, the reason why the signed-in user lacks the permission. `null` if the user has the permission.
 */
export interface Forbidden {
  operate: string | null;
  administer: string | null;
}
