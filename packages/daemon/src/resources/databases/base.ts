/** Input of every task on a database. */
export interface OfDatabase {
  /** Number of the database. */
  database: number;
}
