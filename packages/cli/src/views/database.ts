import {
  bytes,
  type Database,
  type DatabaseCredentials,
  type DatabaseEngineOffer,
  type DatabaseMetrics,
} from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute } from '../output/words.ts';
import { limitsOf, statusOf, taskOf } from './managed-service.ts';

const STYLES: Record<Database['status'], Style> = {
  provisioning: 'cyan',
  running: 'green',
  stopped: 'dim',
  degraded: 'yellow',
  down: 'red',
  failed: 'red',
  trash: 'dim',
};

export const databaseList: ListView<Database> = {
  columns: [
    { header: 'database', value: ({ reference }) => reference, style: () => 'bold' },
    { header: 'ID', value: ({ id }) => id, align: 'right' },
    { header: 'engine', value: ({ engine, version }) => `${engine} ${version}` },
    { header: 'status', value: statusOf, style: ({ status }) => STYLES[status] },
    { header: 'apps', value: ({ used_by }) => used_by.length, align: 'right' },
    { header: 'port', value: ({ exposed }) => exposed?.port ?? null, align: 'right' },
  ],
  // A database in the trash is identified by its ID, because several deleted databases can have the same name.
  id: ({ id, reference, deleted }) => (deleted === null ? reference : String(id)),
  empty: 'No databases found. Create a database: davit database create <database> <engine>',
};

/** List of databases in the trash, with the time of their deletion and the end of their trash retention. */
export const trashedDatabaseList: ListView<Database> = {
  columns: [
    { header: 'database', value: ({ reference }) => reference, style: () => 'bold' },
    { header: 'ID', value: ({ id }) => id, align: 'right' },
    { header: 'engine', value: ({ engine, version }) => `${engine} ${version}` },
    { header: 'deleted', value: ({ deleted }) => minute(deleted?.at ?? null) },
    { header: 'reason', value: ({ status_reason }) => status_reason ?? 'The database was deleted.' },
    { header: 'kept until', value: ({ deleted }) => minute(deleted?.expires_at ?? null) },
  ],
  id: databaseList.id,
  empty: 'The trash contains no databases.',
};

export function databaseFields(database: Database): Field[] {
  const { limits, exposed } = database;
  return [
    ['database', database.reference, 'bold'],
    ['engine', `${database.engine} ${database.version}`],
    ['image', database.image],
    ['status', statusOf(database), STYLES[database.status]],
    ['reason', database.status_reason ?? undefined, 'red'],
    ['task', taskOf(database)],
    ['description', database.description ?? undefined],
    ['host', `${database.host}:${database.port}`],
    ['exposed', exposed === null ? undefined : `port ${exposed.port}${exposed.tls ? ', with TLS' : ''}`],
    ['user', database.username],
    ['database name', database.database ?? undefined],
    ['extensions', database.extensions],
    ['CONFIG', database.allow_config ? 'allowed' : undefined],
    ['limits', limitsOf(limits)],
    ['size', database.size_bytes == null ? undefined : bytes(database.size_bytes)],
    ['apps', database.used_by.map((app) => appOf(database, app))],
    ['created', minute(database.created_at)],
  ];
}

/** Returns an app that uses a database, with the prefix of its attached variables or the note that it is not attached. */
function appOf({ attachments }: Database, app: string): string {
  const attached = attachments.find((one) => one.app === app);
  if (attached === undefined) return `${app} (not attached)`;
  return attached.prefix === '' ? app : `${app} as ${attached.prefix}`;
}

export function credentialFields(credentials: DatabaseCredentials): Field[] {
  const { exposed } = credentials;
  return [
    ['url', credentials.url, 'bold'],
    ['host', `${credentials.host}:${credentials.port}`],
    ['user', credentials.username],
    ['password', credentials.password],
    ['database name', credentials.database ?? undefined],
    ['exposed url', exposed?.url],
    ['CA file', exposed?.ca_file],
    ...(exposed?.clients ?? []).map(({ client, line }) => [client, line] as const),
  ];
}

export const engineList: ListView<DatabaseEngineOffer> = {
  columns: [
    { header: 'engine', value: ({ engine }) => engine, style: () => 'bold' },
    { header: 'versions', value: ({ versions }) => versions.map(versionOf).join(', ') },
    { header: 'port', value: ({ port }) => port, align: 'right' },
    { header: 'variable prefix', value: ({ stem }) => `${stem}_…` },
    { header: 'extensions', value: ({ extensions }) => extensions.length || '', align: 'right' },
  ],
  id: ({ engine }) => engine,
  empty: 'No engines found.',
};

function versionOf({ version, made_here }: DatabaseEngineOffer['versions'][number]): string {
  return made_here ? `${version} (built on the server)` : version;
}

export const databaseUsageList: ListView<DatabaseMetrics['samples'][number]> = {
  columns: [
    { header: 'time', value: ({ at }) => minute(at) },
    { header: 'cpu %', value: ({ cpu_percent }) => cpu_percent?.toFixed(1) ?? null, align: 'right' },
    { header: 'memory', value: ({ memory_bytes }) => amount(memory_bytes), align: 'right' },
    { header: 'in/s', value: ({ received_bytes_per_s }) => amount(received_bytes_per_s), align: 'right' },
    { header: 'out/s', value: ({ sent_bytes_per_s }) => amount(sent_bytes_per_s), align: 'right' },
  ],
  id: ({ at }) => at,
  empty: 'No metrics yet.',
};

function amount(count: number | null): string | null {
  return count === null ? null : bytes(count);
}
