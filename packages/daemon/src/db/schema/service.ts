import type { BackupOrigin, BackupStatus, DatabaseEngine, ObjectStoreProviderCode, Via } from '@davit/api';
import { integer, nullable, real, rowId, text, withDefault } from './table.ts';

/** SQLite tables for managed databases, object stores and backups. */
export const SERVICE_TABLES = {
  /** Database servers (such as PostgreSQL) that the instance runs for apps. Passwords are encrypted. */
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
    /** Docker image id. `null` until the image is found, built or pulled. */
    image_id: nullable(text()),
    description: nullable(text()),
    /** Names of the enabled database extensions, as a JSON array. */
    extensions: text(),
    /**
     * User name that apps use to log in to the database server. The column `password` contains the password of this
     * user.
     */
    username: text(),
    /** Name of the database on the database server. `null` if the server software has no named databases. */
    database: nullable(text()),
    password: withDefault(text()),
    /** Password for the administrator login that Davit uses, encrypted. */
    admin_password: withDefault(text()),
    /**
     * Private key and TLS certificate of the database server, as encrypted JSON. The certificate is empty until the CA
     * of the instance issues one.
     */
    tls: withDefault(text()),
    /**
     * Other valid user names and passwords, as encrypted JSON. Set only for database servers that read all logins at
     * their start.
     */
    other_logins: nullable(text()),
    /** Additional start options of the database server, as JSON. */
    options: nullable(text()),
    cpu: nullable(real()),
    memory_bytes: nullable(integer()),
    exposed_port: nullable(integer()),
    /** Name of the Docker volume with the data of the database server. */
    volume: withDefault(text()),
    wanted: withDefault(text<'running' | 'stopped'>()),
    /**
     * Creation state of the database. `hidden` means that a background task created the database. Only this task may
     * use, keep or delete it.
     */
    state: withDefault(text<'making' | 'made' | 'failed' | 'hidden'>()),
    generation: withDefault(integer()),
    address: nullable(text()),
    container_id: nullable(text()),
    applied: nullable(text()),
    observed: withDefault(text<'unknown' | 'ready' | 'unready' | 'down'>()),
    /** Sentence for users. It explains why the actual state of the database differs from the column `wanted`. */
    reason: nullable(text()),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: nullable(integer()),
    /** Time when the data of the database is deleted, or `null` if the database is not in the trash. */
    expires_at: nullable(integer()),
    /**
     * Actual CPU, memory and process limits of the database's Docker container, as JSON. `null` if the limits are
     * unknown.
     */
    container_limits: nullable(text()),
    /** 1 if apps may run the Redis command `CONFIG`. */
    allow_config: withDefault(integer<0 | 1>()),
    /**
     * Version of the access rules on the database server. If the version differs from the constant `RULES`, Davit
     * updates the rules.
     */
    rules: withDefault(integer()),
    /**
     * Names, CA, fingerprint and renewal time of the certificate in the column `tls`, as JSON. `null` if the CA of the
     * instance has not issued a certificate.
     */
    certificate: nullable(text()),
    /** Fingerprint of the certificate that the running database server uses. `null` if the fingerprint is unknown. */
    served_certificate: nullable(text()),
  },

  object_stores: {
    id: rowId(),
    name: text(),
    kind: text<'linked' | 'managed'>(),
    description: text(),
    provider: nullable(text<ObjectStoreProviderCode>()),
    /**
     * Id of the object store's project. `null` if the object store belongs to no project. Only users with access to all
     * projects then see the object store.
     */
    project_id: nullable(integer()),
    endpoint: text(),
    public_endpoint: nullable(text()),
    region: text(),
    path_style: integer(),
    /**
     * Name of the only bucket that the access key can use. `null` if apps may use every bucket that the access key can
     * list.
     */
    bucket: nullable(text()),
    access_key: text(),
    /** S3 secret key of the object store, encrypted. */
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
    /** Number of the object store's current container. Each new container gets a higher number. */
    generation: withDefault(integer()),
    /** Name of the Docker volume with the data of the object store. */
    volume: nullable(text()),
    /** IP address in the Docker network of the environment. `null` until an address is assigned. */
    address: nullable(text()),
    container_id: nullable(text()),
    /** Docker image id of the object store. `null` until the image is found or pulled. */
    image_id: nullable(text()),
    /** Settings with which the current Docker container of the object store was created. */
    applied: nullable(text()),
    /** Last observed state of the object store's container. `null` until the first check. */
    observed: nullable(text<'up' | 'silent' | 'down'>()),
    /** Sentence for users. It explains why the actual state of the object store differs from the column `wanted`. */
    reason: nullable(text()),
    /**
     * Port of the server at which the object store is published. `null` if only apps of the same environment can reach
     * the object store.
     */
    port: nullable(integer()),
    deleted_at: nullable(integer()),
    expires_at: nullable(integer()),
    /**
     * 1 if the daemon may connect only to public IP addresses of the endpoint. The value is 1 if the endpoint was
     * public when it was set. The value is always 1 if the admin who set the endpoint has access to only some projects.
     */
    public_only: withDefault(integer()),
    /**
     * Actual CPU, memory and process limits of the object store's Docker container, as JSON. `null` if the limits are
     * unknown.
     */
    container_limits: nullable(text()),
  },

  backups: {
    id: rowId(),
    database_id: integer(),
    project_id: integer(),
    /** Name of the database at the time of the backup, as `project/environment/name`. */
    database: text(),
    engine: text(),
    version: text(),
    /** Settings for a new database that is created from the backup, as JSON. */
    details: text(),
    kind: withDefault(text<'dump' | 'base'>()),
    origin: text<BackupOrigin>(),
    status: withDefault(text<BackupStatus>()),
    error: nullable(text()),
    /** Location of the backup file (local disk or object store), as JSON. */
    destination: text(),
    key: withDefault(text()),
    size_bytes: nullable(integer()),
    dump_bytes: nullable(integer()),
    /** Data that the backup tool recorded, such as row counts and roles, as JSON. */
    facts: nullable(text()),
    /** Time when Davit last verified the backup with a test restore. `null` if Davit never verified the backup. */
    verified_at: nullable(integer()),
    /** Error of the last test restore of the backup. `null` if the test succeeded. */
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
    /** Location where the backups are stored (local disk or object store), as JSON. */
    destination: text(),
    verify_every_days: nullable(integer()),
    point_in_time: withDefault(integer()),
    /** Time of the next scheduled backup. `null` if no backup is scheduled. */
    next_at: nullable(integer()),
    /** Sentence that explains why the last scheduled backup was skipped. `null` if it was not skipped. */
    missed: nullable(text()),
    created_at: integer(),
    updated_at: integer(),
  },

  backup_segments: {
    id: rowId(),
    database_id: integer(),
    /**
     * Name of the WAL segment, as `volume/segment`. Within one data volume, names have the same order as the segments
     * of the write-ahead log.
     */
    name: text(),
    /** Location of the segment file (local disk or object store), as JSON. */
    destination: text(),
    key: text(),
    size_bytes: integer(),
    /** End of the time range of the WAL segment. */
    at: integer(),
  },

  /**
   * Clock time, running time and id of the daemon process in a single row. With these values, Davit measures how long
   * deleted resources have been in the trash.
   */
  trash_clock: {
    id: rowId(),
    at: integer(),
    running: real(),
    process: text(),
  },
};
