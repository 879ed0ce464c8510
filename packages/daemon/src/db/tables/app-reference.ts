import { sql } from '../select.ts';

/**
 * SQL expression for the name of an app, as `project/environment/app`. The SQL statement must join the tables `apps a`,
 * `environments e` and `projects p`.
 */
export const APP_REFERENCE = sql.text("p.slug || '/' || e.slug || '/' || a.name");
