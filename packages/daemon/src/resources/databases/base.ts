/** What tasks on databases are asked with. */
export interface OfDatabase {
  /** Its number. */
  database: number;
}
