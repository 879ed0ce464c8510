import { sql } from '../select.ts';

/**
 * SQL expression for the name `project/environment/app` of an app. The SQL statement must join the tables `apps a`,
 * `environments e` and `projects p`.
 */
export const APP_REFERENCE = sql.text("p.slug || '/' || e.slug || '/' || a.name");
