import type { Domain, RevisionReason, RunStatus, Via, VolumeState, WorkProblemCode } from '@davit/api';
import { integer, nullable, real, rowId, text, withDefault } from './table.ts';

/** SQLite tables for projects, environments, apps, domains, volumes, schedules and runs. */
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
    /** Last measured disk use of the project in bytes, or `null` before the first measurement. */
    disk_used: nullable(integer()),
    disk_measured_at: nullable(integer()),
    /** 1 if the project was over its disk limit when Davit last sent an event about its disk use. */
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
    /** Current settings of the app, as JSON of the type `AppSpec`. */
    spec: text(),
    revision: integer(),
    /**
     * Number of the newest revision whose settings changes need a deployment. The app uses such changes only after its
     * next deployment.
     */
    settings_revision: withDefault(integer()),
    live_deployment: nullable(integer()),
    stopped: withDefault(integer()),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: nullable(integer()),
  },

  /** Contents of the configuration files of apps, with one row for each version of a file. */
  app_files: {
    app_id: integer(),
    version: text(),
    /** Size of the file before encryption, in bytes. */
    bytes: integer(),
    /** Content of the configuration file, encrypted by the class `Sealer`. */
    content: text(),
  },

  variables: {
    level: text<'project' | 'environment' | 'app'>(),
    owner_id: integer(),
    key: text(),
    /** Value of the environment variable, encrypted by the class `Sealer`. */
    value: text(),
    secret: integer(),
  },

  revisions: {
    app_id: integer(),
    number: integer(),
    /** Settings of the app in this revision, as JSON of the type `AppSpec`. */
    spec: text(),
    /** All environment variables of the app in this revision, encrypted. */
    variables: text(),
    changed_by: text(),
    reason: text<RevisionReason>(),
    created_at: integer(),
  },

  /** Domains of apps. Requests to the host, or to one path of the host, go to the app. */
  domains: {
    id: rowId(),
    app_id: integer(),
    host: text(),
    /** URL path of the domain, or an empty string if the domain covers all paths of the host. */
    path: withDefault(text()),
    /** Container port that receives the requests. `null` means the default port of the app. */
    port: nullable(integer()),
    protocol: text<Domain['protocol']>(),
    https: withDefault(text<Domain['https']>()),
    redirect_to: nullable(text()),
    /** Proxy rules of the domain, as JSON. */
    rules: withDefault(text()),
    /** User names and password hashes for HTTP basic authentication, encrypted. `null` if visitors need no password. */
    basic_auth: nullable(text()),
    created_at: integer(),
  },

  routes: {
    /** Number that identifies the HAProxy backend of the route. The name of the backend is `b<slot>`. */
    slot: integer(),
    app_id: integer(),
    /** Container port that receives the requests. `null` means the default port of the app. */
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

  /** Persistent volumes of apps. Davit inserts the row before Docker creates the volume. */
  volumes: {
    id: rowId(),
    /**
     * Id of the app that uses the volume. If no app uses the volume, the id of the app that used it last. `null` if
     * this app no longer exists.
     */
    app_id: nullable(integer()),
    /** Id of the project whose users can see the volume. The id stays after the app is deleted. */
    project_id: integer(),
    /** Name of the volume's app, as `project/environment/app`. */
    app: text(),
    node: withDefault(text()),
    path: text(),
    /** Name of the Docker volume. */
    name: text(),
    state: withDefault(text<VolumeState>()),
    created_at: integer(),
    /** Time when the data of the volume is deleted, or `null` if the volume is not in the trash. */
    expires_at: nullable(integer()),
    /**
     * Id of the template installation whose app uses the volume or used it last. `null` if no template installation
     * created the app.
     */
    install_id: nullable(integer()),
  },

  schedules: {
    id: rowId(),
    app_id: integer(),
    name: nullable(text()),
    cron: text(),
    time_zone: text(),
    /** Command and arguments that the cron schedule runs, as a JSON array. */
    command: text(),
    timeout_s: integer(),
    enabled: integer(),
    /** Time of the next scheduled run, or `null` if the cron schedule is disabled. */
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
    /** Command and arguments of the run, as a JSON array. */
    command: text(),
    timeout_s: integer(),
    status: text<RunStatus>(),
    exit_code: nullable(integer()),
    /** Output of the command, encrypted. Encryption is necessary, because a command can print secrets. */
    output: nullable(text()),
    error: nullable(text()),
    asked_by: text(),
    asked_via: text<Via>(),
    created_at: integer(),
    started_at: nullable(integer()),
    finished_at: nullable(integer()),
    /**
     * CPU, memory and process limits of the run's container, as JSON. `null` if the container has the limits of the
     * app.
     */
    limits: nullable(text()),
    error_code: nullable(text<WorkProblemCode>()),
    /**
     * Volumes that are mounted into the run's container, as JSON. `null` for runs that ended before this column
     * existed.
     */
    volumes: nullable(text()),
  },

  /** Attachments. Each attachment connects an app to a database or to a bucket of an object store. */
  attachments: {
    id: rowId(),
    app_id: integer(),
    kind: text<'database' | 'bucket'>(),
    /** Id of the attached database, or `null` if a bucket is attached. */
    database_id: nullable(integer()),
    /** Id of the object store with the attached bucket, or `null` if a database is attached. */
    store_id: nullable(integer()),
    bucket: nullable(text()),
    prefix: text(),
    created_at: integer(),
  },
};
