import type { Domain, RevisionReason, RunStatus, Via, VolumeState, WorkProblemCode } from '@davit/api';
import { integer, nullable, real, rowId, text, withDefault } from './table.ts';

/** Tables for projects, environments, apps and their parts. */
export const APP_TABLES = {
  projects: {
    id: rowId(),
    slug: text(),
    created_at: integer(),
    deleted_at: nullable(integer()),
  },

  project_quotas: {
    project_id: integer(),
    replicas: nullable(integer()),
    memory_bytes: nullable(integer()),
    cpu: nullable(real()),
    pids: nullable(integer()),
    volumes: nullable(integer()),
    databases: nullable(integer()),
    disk_bytes: nullable(integer()),
    /** Disk use in bytes, or `null` if it has not been measured yet. */
    disk_used: nullable(integer()),
    disk_measured_at: nullable(integer()),
    /** 1 if the newest event about the disk limit says that the project exceeds it. */
    disk_exceeded: withDefault(integer()),
  },

  environments: {
    id: rowId(),
    project_id: integer(),
    slug: text(),
    created_at: integer(),
    deleted_at: nullable(integer()),
  },

  apps: {
    id: rowId(),
    environment_id: integer(),
    name: text(),
    /** JSON of an AppSpec. */
    spec: text(),
    revision: integer(),
    /** Number of the newest revision that needs a deployment to take effect. */
    settings_revision: withDefault(integer()),
    live_deployment: nullable(integer()),
    stopped: withDefault(integer()),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: nullable(integer()),
  },

  /** Contents of the files of apps, with one row for each version. */
  app_files: {
    app_id: integer(),
    version: text(),
    /** Size of the unencrypted content. */
    bytes: integer(),
    /** Encrypted content, see `seal.ts`. */
    content: text(),
  },

  variables: {
    level: text<'project' | 'environment' | 'app'>(),
    owner_id: integer(),
    key: text(),
    /** Encrypted value, see `seal.ts`. */
    value: text(),
    secret: integer(),
  },

  revisions: {
    app_id: integer(),
    number: integer(),
    /** JSON of an AppSpec. */
    spec: text(),
    /** Encrypted variables that were in effect with this revision. */
    variables: text(),
    changed_by: text(),
    reason: text<RevisionReason>(),
    created_at: integer(),
  },

  /** Hosts, or paths of hosts, whose requests go to an app. */
  domains: {
    id: rowId(),
    app_id: integer(),
    host: text(),
    /** Path of the domain, or an empty string for all paths. */
    path: withDefault(text()),
    /** Port, or `null` for the default port of the app. */
    port: nullable(integer()),
    protocol: text<Domain['protocol']>(),
    https: withDefault(text<Domain['https']>()),
    redirect_to: nullable(text()),
    /** JSON of the domain's rules. */
    rules: withDefault(text()),
    /** Encrypted credentials for basic authentication, or `null` if visitors need no password. */
    basic_auth: nullable(text()),
    created_at: integer(),
  },

  routes: {
    /** Number of the backend in the proxy. */
    slot: integer(),
    app_id: integer(),
    /** Port, or `null` for the default port of the app. */
    port: nullable(integer()),
    protocol: text<Domain['protocol']>(),
  },

  tcp_ports: {
    id: rowId(),
    app_id: integer(),
    node: withDefault(text()),
    container_port: integer(),
    host_port: integer(),
    created_at: integer(),
  },

  /** Named volumes. The engine may not have created them yet. */
  volumes: {
    id: rowId(),
    /**
     * App that uses the volume, or used it before the volume was kept or moved to the trash. `null` if that app no
     * longer exists.
     */
    app_id: nullable(integer()),
    /** Project whose users see the volume. The column keeps its value when the app is deleted. */
    project_id: integer(),
    /** Reference of the app. */
    app: text(),
    node: withDefault(text()),
    path: text(),
    /** Name of the volume at the engine. */
    name: text(),
    state: withDefault(text<VolumeState>()),
    created_at: integer(),
    /** Time at which the data is deleted, or `null` if the volume is not in the trash. */
    expires_at: nullable(integer()),
    /** Installation whose app has the volume, or had it before the volume was kept. `null` for other volumes. */
    install_id: nullable(integer()),
  },

  schedules: {
    id: rowId(),
    app_id: integer(),
    name: nullable(text()),
    cron: text(),
    time_zone: text(),
    /** JSON array of arguments. */
    command: text(),
    timeout_s: integer(),
    enabled: integer(),
    /** Time of the next run, or `null` if the schedule is disabled. */
    next_run_at: nullable(integer()),
    created_by: text(),
    created_at: integer(),
    updated_at: integer(),
  },

  runs: {
    id: rowId(),
    app_id: integer(),
    schedule_id: nullable(integer()),
    deployment_id: nullable(integer()),
    /** JSON array of arguments. */
    command: text(),
    timeout_s: integer(),
    status: text<RunStatus>(),
    exit_code: nullable(integer()),
    /** Encrypted output of the run. */
    output: nullable(text()),
    error: nullable(text()),
    asked_by: text(),
    asked_via: text<Via>(),
    created_at: integer(),
    started_at: nullable(integer()),
    finished_at: nullable(integer()),
    /** JSON of the limits of the container, or `null` if the container has the limits of the app. */
    limits: nullable(text()),
    error_code: nullable(text<WorkProblemCode>()),
    /** JSON of the volumes of the container. `null` in ended runs of earlier Davit versions. */
    volumes: nullable(text()),
  },

  /** Databases and buckets that are attached to apps. */
  attachments: {
    id: rowId(),
    app_id: integer(),
    kind: text<'database' | 'bucket'>(),
    /** Attached database, or `null` if the attachment is a bucket. */
    database_id: nullable(integer()),
    /** Object store of the attached bucket, or `null` if the attachment is a database. */
    store_id: nullable(integer()),
    bucket: nullable(text()),
    prefix: text(),
    created_at: integer(),
  },
};
