/** For each permission, the reason why the signed-in user does not have it, or `null` if the user has it. */
export interface Forbidden {
  operate: string | null;
  administer: string | null;
}
