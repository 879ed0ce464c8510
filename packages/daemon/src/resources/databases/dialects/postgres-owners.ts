import { ADMIN } from './dialect.ts';

/**
 * Map from a PostgreSQL system table to the column with the owner of each object. The system table of extensions is not
 * included.
 */
export const OWNER_COLUMNS = {
  pg_class: 'relowner',
  pg_collation: 'collowner',
  pg_conversion: 'conowner',
  pg_event_trigger: 'evtowner',
  pg_foreign_data_wrapper: 'fdwowner',
  pg_foreign_server: 'srvowner',
  pg_language: 'lanowner',
  pg_largeobject_metadata: 'lomowner',
  pg_namespace: 'nspowner',
  pg_opclass: 'opcowner',
  pg_operator: 'oprowner',
  pg_opfamily: 'opfowner',
  pg_proc: 'proowner',
  pg_publication: 'pubowner',
  pg_statistic_ext: 'stxowner',
  pg_ts_config: 'cfgowner',
  pg_ts_dict: 'dictowner',
  pg_type: 'typowner',
} as const;

export type OwningCatalog = keyof typeof OWNER_COLUMNS;

/** SQL query for all objects that the administrator does not own. It returns the columns `classid` and `objid`. */
export const OBJECTS_OF_APPS = Object.entries(OWNER_COLUMNS)
  .map(
    ([catalog, owner]) =>
      `SELECT '${catalog}'::regclass AS classid, oid AS objid FROM ${catalog} WHERE ${owner} <> '${ADMIN}'::regrole`,
  )
  .join(' UNION ALL ');

/**
 * SQL query for type casts of apps. A cast has no owner. Only the owners of its two types can create a cast, so the
 * query checks these owners.
 */
const CASTS_OF_APPS = `SELECT 'pg_cast'::regclass, c.oid FROM pg_cast c
  WHERE EXISTS (SELECT FROM pg_type t WHERE t.oid IN (c.castsource, c.casttarget) AND t.typowner <> '${ADMIN}'::regrole)`;

/**
 * SQL condition for types that PostgreSQL creates together with a table or type, such as array types. `ALTER EXTENSION`
 * can add these types automatically.
 */
const IS_DEPENDENT = `(o.classid = 'pg_type'::regclass AND EXISTS (SELECT FROM pg_type t LEFT JOIN pg_class r ON r.oid = t.typrelid
  WHERE t.oid = o.objid AND (r.relkind <> 'c' OR t.typtype = 'm' OR EXISTS (SELECT FROM pg_type p WHERE p.typarray = t.oid))))`;

/**
 * `FROM` clause for objects (`i`) that an app added to an extension (`e`). `pg_dump` omits such objects, because
 * `CREATE EXTENSION` normally creates the objects of an extension.
 */
export const ADDED_MEMBERS = `(${OBJECTS_OF_APPS} UNION ALL ${CASTS_OF_APPS}) o
  JOIN pg_depend d ON d.classid = o.classid AND d.objid = o.objid AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
    AND NOT ${IS_DEPENDENT}
  JOIN pg_extension e ON e.oid = d.refobjid, pg_identify_object(o.classid, o.objid, 0) i`;
