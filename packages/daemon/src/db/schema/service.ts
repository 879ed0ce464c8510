import type { BackupOrigin, BackupStatus, DatabaseEngine, StoreProviderCode, Via } from '@davit/api';
import { integer, nullable, real, rowId, text, withDefault } from './table.ts';

/** Databases, object stores and backups. */
export const SERVICE_TABLES = {
  /** Databases that the instance runs for apps. Passwords are sealed: `resources/databases/secrets.ts` opens them. */
  databases: {
    id: rowId(),
    project_id: integer(),
    environment_id: integer(),
    project: text(),
    environment: text(),
    name: text(),
    engine: text<DatabaseEngine>(),
    version: text(),
    image: text(),
    /** `null` until the image was found, built or pulled. */
    image_id: nullable(text()),
    description: nullable(text()),
    /** JSON array of names. */
    extensions: text(),
    /** Login of the apps. `password` belongs to it. */
    username: text(),
    /** `null` if the engine has no named databases. */
    database: nullable(text()),
    password: withDefault(text()),
    /** Password of the login that the instance uses. */
    admin_password: withDefault(text()),
    /** Sealed JSON of key and certificate. */
    tls: withDefault(text()),
    /** Sealed JSON of further valid logins, for engines that get their logins at each start. */
    other_logins: nullable(text()),
    /** JSON of further start options of the server, read by `resources/databases/options.ts`. */
    options: nullable(text()),
    cpu: nullable(real()),
    memory_bytes: nullable(integer()),
    exposed_port: nullable(integer()),
    /** Name of the volume at the engine. */
    volume: withDefault(text()),
    wanted: withDefault(text<'running' | 'stopped'>()),
    /** `hidden`: belongs to a task, and nothing else finds, keeps or removes it. */
    state: withDefault(text<'making' | 'made' | 'failed' | 'hidden'>()),
    generation: withDefault(integer()),
    address: nullable(text()),
    container_id: nullable(text()),
    applied: nullable(text()),
    observed: withDefault(text<'unknown' | 'ready' | 'unready' | 'down'>()),
    /** Why `observed` is not what `wanted` says, in a sentence. */
    reason: nullable(text()),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: nullable(integer()),
    /** When the data is deleted; `null` outside the trash. */
    expires_at: nullable(integer()),
    /** JSON, read by `managed-services/limits.ts`. */
    container_limits: nullable(text()),
    /** Redis only. 1: the login of the apps may use `CONFIG`. */
    allow_config: withDefault(integer<0 | 1>()),
    /** Version of the login rules that the server has; `resources/databases/rules.ts` has the current one. */
    rules: withDefault(integer()),
  },

  object_stores: {
    id: rowId(),
    name: text(),
    kind: text<'linked' | 'managed'>(),
    description: text(),
    provider: nullable(text<StoreProviderCode>()),
    /** `null` if the store belongs to no project: only users of all projects see it. */
    project_id: nullable(integer()),
    endpoint: text(),
    public_endpoint: nullable(text()),
    region: text(),
    path_style: integer(),
    /** The only bucket that the keys give access to, or `null` for all that they can list. */
    bucket: nullable(text()),
    access_key: text(),
    /** Sealed. */
    secret_key: text(),
    checked_at: nullable(integer()),
    created_at: integer(),
    updated_at: integer(),
    environment_id: nullable(integer()),
    version: nullable(text()),
    image: nullable(text()),
    cpu: nullable(real()),
    memory_bytes: nullable(integer()),
    wanted: nullable(text<'running' | 'stopped'>()),
    state: nullable(text<'making' | 'made' | 'failed'>()),
    /** Number of the present container. */
    generation: withDefault(integer()),
    /** Name of the data volume at the engine. */
    volume: nullable(text()),
    /** Address in the network of the environment; `null` until the first one is assigned. */
    address: nullable(text()),
    container_id: nullable(text()),
    /** `null` until the image was found or pulled. */
    image_id: nullable(text()),
    /** What the container was created with. */
    applied: nullable(text()),
    /** Last observed state, or `null` before the first check. */
    observed: nullable(text<'up' | 'silent' | 'down'>()),
    /** Why `observed` is not what `wanted` says, in a sentence. */
    reason: nullable(text()),
    /** Port of the server, or `null` if the store is not exposed. */
    port: nullable(integer()),
    deleted_at: nullable(integer()),
    expires_at: nullable(integer()),
    /**
     * 1: connections to private addresses are refused. An admin of some projects set the endpoint, or it led to public
     * addresses only when it was set.
     */
    public_only: withDefault(integer()),
    /** JSON, read by `managed-services/limits.ts`. */
    container_limits: nullable(text()),
  },

  backups: {
    id: rowId(),
    database_id: integer(),
    project_id: integer(),
    /** Reference of the database at that time. */
    database: text(),
    engine: text(),
    version: text(),
    /** JSON of the settings with which a new database is created from it. */
    details: text(),
    kind: withDefault(text<'dump' | 'base'>()),
    origin: text<BackupOrigin>(),
    status: withDefault(text<BackupStatus>()),
    error: nullable(text()),
    /** JSON. */
    destination: text(),
    key: withDefault(text()),
    size_bytes: nullable(integer()),
    dump_bytes: nullable(integer()),
    /** JSON of what the tool recorded: counts and roles. */
    facts: nullable(text()),
    /** When it was last verified. */
    verified_at: nullable(integer()),
    /** `null` if the last verification succeeded. */
    verify_error: nullable(text()),
    task_id: nullable(integer()),
    by: text(),
    via: text<Via>(),
    started_at: integer(),
    finished_at: nullable(integer()),
  },

  backup_schedules: {
    database_id: integer(),
    cron: text(),
    time_zone: text(),
    keep: integer(),
    /** JSON. */
    destination: text(),
    verify_every_days: nullable(integer()),
    point_in_time: withDefault(integer()),
    /** `null` if there is no next time. */
    next_at: nullable(integer()),
    /** Why the last backup was skipped. */
    missed: nullable(text()),
    created_at: integer(),
    updated_at: integer(),
  },

  backup_segments: {
    id: rowId(),
    database_id: integer(),
    /** Volume of the data and name at the server. The order of the names is the order of the segments. */
    name: text(),
    /** JSON. */
    destination: text(),
    key: text(),
    size_bytes: integer(),
    /** End of the period that the segment covers. */
    at: integer(),
  },

  /** The one row of the clock that counts the terms of the trash. */
  trash_clock: {
    id: rowId(),
    at: integer(),
    running: real(),
    process: text(),
  },
};
