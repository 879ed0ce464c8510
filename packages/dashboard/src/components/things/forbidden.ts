/** Reason why the signed-in user lacks a permission, for each permission. `null` if the user has the permission. */
export interface Forbidden {
  operate: string | null;
  administer: string | null;
}
