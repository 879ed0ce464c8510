/** Input fields that all database tasks have. */
export interface OfDatabase {
  database: number;
}
