/** Input that every task on a database has. */
export interface OfDatabase {
  database: number;
}
