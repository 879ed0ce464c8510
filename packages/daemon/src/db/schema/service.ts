import type { BackupOrigin, BackupStatus, DatabaseEngine, ObjectStoreProviderCode, Via } from '@davit/api';
import { integer, nullable, real, rowId, text, withDefault } from './table.ts';

/** Tables for databases, object stores and backups. */
export const SERVICE_TABLES = {
  /**
   * Databases that the instance runs for apps. Passwords are encrypted: `resources/databases/secrets.ts` decrypts them.
   */
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
    /** Id of the image, or `null` until the image was found, built or pulled. */
    image_id: nullable(text()),
    description: nullable(text()),
    /** JSON array of extension names. */
    extensions: text(),
    /** User name of the apps' login. `password` is the password of this login. */
    username: text(),
    /** Name of the database, or `null` if the engine has no named databases. */
    database: nullable(text()),
    password: withDefault(text()),
    /** Password of the login that Davit uses. */
    admin_password: withDefault(text()),
    /** Encrypted JSON of the key and the certificate. */
    tls: withDefault(text()),
    /** Encrypted JSON of additional valid logins, for engines that get their logins at each start. */
    other_logins: nullable(text()),
    /** JSON of additional start options of the server, parsed by `resources/databases/options.ts`. */
    options: nullable(text()),
    cpu: nullable(real()),
    memory_bytes: nullable(integer()),
    exposed_port: nullable(integer()),
    /** Name of the volume at the engine. */
    volume: withDefault(text()),
    wanted: withDefault(text<'running' | 'stopped'>()),
    /** State of the record. `hidden`: the database belongs to a task, and only that task finds, keeps or removes it. */
    state: withDefault(text<'making' | 'made' | 'failed' | 'hidden'>()),
    generation: withDefault(integer()),
    address: nullable(text()),
    container_id: nullable(text()),
    applied: nullable(text()),
    observed: withDefault(text<'unknown' | 'ready' | 'unready' | 'down'>()),
    /** Reason why `observed` differs from `wanted`, as a sentence. */
    reason: nullable(text()),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: nullable(integer()),
    /** Time at which the data is deleted, or `null` if the database is not in the trash. */
    expires_at: nullable(integer()),
    /** JSON of the limits of the container, parsed by `managed-services/limits.ts`. */
    container_limits: nullable(text()),
    /** 1 if the login of the apps may use `CONFIG`. Only for Redis. */
    allow_config: withDefault(integer<0 | 1>()),
    /**
     * Version of the login rules that are set up in the server. `resources/databases/rules.ts` contains the current
     * version.
     */
    rules: withDefault(integer()),
  },

  object_stores: {
    id: rowId(),
    name: text(),
    kind: text<'linked' | 'managed'>(),
    description: text(),
    provider: nullable(text<ObjectStoreProviderCode>()),
    /**
     * Project id, or `null` if the store belongs to no project. Only users with access to all projects see such a
     * store.
     */
    project_id: nullable(integer()),
    endpoint: text(),
    public_endpoint: nullable(text()),
    region: text(),
    path_style: integer(),
    /**
     * Name of the only bucket that the keys give access to, or `null` if apps may use all buckets that the keys can
     * list.
     */
    bucket: nullable(text()),
    access_key: text(),
    /** Encrypted secret key. */
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
    /** Address in the network of the environment, or `null` until the first address is assigned. */
    address: nullable(text()),
    container_id: nullable(text()),
    /** Id of the image, or `null` until the image was found or pulled. */
    image_id: nullable(text()),
    /** Settings with which the container was created. */
    applied: nullable(text()),
    /** Last observed state, or `null` before the first check. */
    observed: nullable(text<'up' | 'silent' | 'down'>()),
    /** Reason why `observed` differs from `wanted`, as a sentence. */
    reason: nullable(text()),
    /** Port of the server, or `null` if the store is not exposed. */
    port: nullable(integer()),
    deleted_at: nullable(integer()),
    expires_at: nullable(integer()),
    /**
     * 1 if the daemon refuses connections to private addresses. The value is 1 if an admin of some projects set the
     * endpoint, or if the endpoint resolved only to public addresses when it was set.
     */
    public_only: withDefault(integer()),
    /** JSON of the limits of the container, parsed by `managed-services/limits.ts`. */
    container_limits: nullable(text()),
  },

  backups: {
    id: rowId(),
    database_id: integer(),
    project_id: integer(),
    /** Reference of the database at the time of the backup. */
    database: text(),
    engine: text(),
    version: text(),
    /** JSON of the settings with which a new database is created from the backup. */
    details: text(),
    kind: withDefault(text<'dump' | 'base'>()),
    origin: text<BackupOrigin>(),
    status: withDefault(text<BackupStatus>()),
    error: nullable(text()),
    /** JSON of the destination. */
    destination: text(),
    key: withDefault(text()),
    size_bytes: nullable(integer()),
    dump_bytes: nullable(integer()),
    /** JSON of the facts that the backup tool recorded: counts and roles. */
    facts: nullable(text()),
    /** Time of the last verification. */
    verified_at: nullable(integer()),
    /** Error of the last verification, or `null` if it succeeded. */
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
    /** JSON of the destination. */
    destination: text(),
    verify_every_days: nullable(integer()),
    point_in_time: withDefault(integer()),
    /** Time of the next backup, or `null` if there is none. */
    next_at: nullable(integer()),
    /** Reason why the last backup was skipped. */
    missed: nullable(text()),
    created_at: integer(),
    updated_at: integer(),
  },

  backup_segments: {
    id: rowId(),
    database_id: integer(),
    /**
     * Name of the data volume and name of the segment at the database server. Names sort in the order of the segments.
     */
    name: text(),
    /** JSON of the destination. */
    destination: text(),
    key: text(),
    size_bytes: integer(),
    /** End of the period that the segment covers. */
    at: integer(),
  },

  /** Clock that measures the retention time of the trash. The table has one row. */
  trash_clock: {
    id: rowId(),
    at: integer(),
    running: real(),
    process: text(),
  },
};
