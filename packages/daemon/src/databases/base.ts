import type { Base } from '../release/base.ts';

/** What databases are run with. */
export interface DatabaseBase extends Base {
  /** Asks for databases to be looked after soon. */
  nudgeDatabases: () => void;
}

/** What tasks on databases are asked with. */
export interface OfDatabase {
  /** Its number. */
  database: number;
}
