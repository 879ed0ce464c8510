import { sql } from '../select.ts';

/**
 * SQL expression for the reference of an app. The expression uses the tables `apps a`, `environments e` and `projects
 * p`.
 */
export const APP_REFERENCE = sql.text("p.slug || '/' || e.slug || '/' || a.name");
