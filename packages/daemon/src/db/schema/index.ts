/**
 * Database schema after all migrations, as TypeScript values. A test compares this schema with a migrated SQLite
 * database.
 */
import { ACCOUNT_TABLES } from './account.ts';
import { APP_TABLES } from './app.ts';
import { CERTIFICATE_TABLES } from './certificate.ts';
import { DEPLOYMENT_TABLES } from './deployment.ts';
import { INSTANCE_TABLES } from './instance.ts';
import { SERVICE_TABLES } from './service.ts';
import type { Column, Columns, ValueOf } from './table.ts';

export const SCHEMA = {
  ...ACCOUNT_TABLES,
  ...APP_TABLES,
  ...CERTIFICATE_TABLES,
  ...DEPLOYMENT_TABLES,
  ...INSTANCE_TABLES,
  ...SERVICE_TABLES,
} satisfies Record<string, Columns>;

export type Schema = typeof SCHEMA;
export type TableName = keyof Schema;

export type TableRow<N extends TableName> = { -readonly [K in keyof Schema[N]]: ValueOf<Schema[N][K]> };

type LeavableKeys<N extends TableName> = {
  [K in keyof Schema[N]]: Schema[N][K] extends Column<unknown, true> ? K : never;
}[keyof Schema[N]];

/** Type of a row to insert. An insert can omit nullable columns and columns with a default value. */
export type NewRow<N extends TableName> = Omit<TableRow<N>, LeavableKeys<N>> &
  Partial<Pick<TableRow<N>, LeavableKeys<N>>>;

/** Names of the tables that have an integer primary key `id`. */
export type NumberedTable = { [N in TableName]: 'id' extends keyof Schema[N] ? N : never }[TableName];
