/** Why who is signed in may not do what needs each permission; null: he may. */
export interface Forbidden {
  operate: string | null;
  administer: string | null;
}
