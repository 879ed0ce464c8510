/** Fields that the input of every database task contains. */
export interface OfDatabase {
  database: number;
}
