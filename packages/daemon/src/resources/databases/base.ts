/** Input fields that are common to all tasks of databases. */
export interface OfDatabase {
  database: number;
}
