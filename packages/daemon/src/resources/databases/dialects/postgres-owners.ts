/**
 * Catalogs of a PostgreSQL database whose objects have an owner, with the owner's column. Extensions are not included.
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
