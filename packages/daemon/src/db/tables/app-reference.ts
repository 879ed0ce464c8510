import { sql } from '../select.ts';

/** Reference of an app, of the tables `apps a`, `environments e` and `projects p`. */
export const APP_REFERENCE = sql.text("p.slug || '/' || e.slug || '/' || a.name");
