/** Reasons why the signed-in user lacks each permission, or `null` for a permission that the user has. */
export interface Forbidden {
  operate: string | null;
  administer: string | null;
}
