import type { Domain, RevisionReason, RunStatus, Via, VolumeState, WorkProblemCode } from '@davit/api';
import { integer, nullable, real, rowId, text, withDefault } from './table.ts';

/** Projects, environments, apps and what belongs to them. */
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
    /** Bytes, or `null` if nothing has been measured yet. */
    disk_used: nullable(integer()),
    disk_measured_at: nullable(integer()),
    /** 1: the newest event says that the limit is exceeded. */
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
    /** The newest revision that needs a deploy to take effect. */
    settings_revision: withDefault(integer()),
    live_deployment: nullable(integer()),
    stopped: withDefault(integer()),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: nullable(integer()),
  },

  /** Contents of files of apps, a row for each version. */
  app_files: {
    app_id: integer(),
    version: text(),
    /** Size of the content in plain text. */
    bytes: integer(),
    /** Sealed. */
    content: text(),
  },

  variables: {
    level: text<'project' | 'environment' | 'app'>(),
    owner_id: integer(),
    key: text(),
    /** Sealed. */
    value: text(),
    secret: integer(),
  },

  revisions: {
    app_id: integer(),
    number: integer(),
    /** JSON of an AppSpec. */
    spec: text(),
    /** The variables that were in effect, sealed. */
    variables: text(),
    changed_by: text(),
    reason: text<RevisionReason>(),
    created_at: integer(),
  },

  /** Hosts, or paths of hosts, that lead to an app. */
  domains: {
    id: rowId(),
    app_id: integer(),
    host: text(),
    /** Empty for every path. */
    path: withDefault(text()),
    /** `null` for the port of the app. */
    port: nullable(integer()),
    protocol: text<Domain['protocol']>(),
    https: withDefault(text<Domain['https']>()),
    redirect_to: nullable(text()),
    /** JSON of its rules. */
    rules: withDefault(text()),
    /** Sealed, or `null` if no password is needed. */
    basic_auth: nullable(text()),
    created_at: integer(),
  },

  routes: {
    /** Number of the backend in the proxy. */
    slot: integer(),
    app_id: integer(),
    /** `null` for the port of the app. */
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

  /** Named volumes, whether or not the engine has created them yet. */
  volumes: {
    id: rowId(),
    /** App that uses the volume, or used it before the volume was kept or trashed. `null` once that app is gone. */
    app_id: nullable(integer()),
    /** Project whose users see the volume, also when the app is gone. */
    project_id: integer(),
    /** Reference of the app. */
    app: text(),
    node: withDefault(text()),
    path: text(),
    /** Name at the engine. */
    name: text(),
    state: withDefault(text<VolumeState>()),
    created_at: integer(),
    /** When the data is deleted; `null` outside the trash. */
    expires_at: nullable(integer()),
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
    /** `null` if the schedule is disabled. */
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
    /** Sealed. */
    output: nullable(text()),
    error: nullable(text()),
    asked_by: text(),
    asked_via: text<Via>(),
    created_at: integer(),
    started_at: nullable(integer()),
    finished_at: nullable(integer()),
    /** JSON of the limits of the container, or `null` for those of the app. */
    limits: nullable(text()),
    error_code: nullable(text<WorkProblemCode>()),
  },

  /** Databases and buckets that apps use. */
  attachments: {
    id: rowId(),
    app_id: integer(),
    kind: text<'database' | 'bucket'>(),
    /** `null` for a bucket. */
    database_id: nullable(integer()),
    /** `null` for a database. */
    store_id: nullable(integer()),
    bucket: nullable(text()),
    prefix: text(),
    created_at: integer(),
  },
};
