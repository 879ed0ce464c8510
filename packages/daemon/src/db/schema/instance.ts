import type { ResourceKind, TaskStatus, TaskSubjectKind, Via, WorkProblemCode } from '@davit/api';
import { blob, integer, nullable, rowId, text, withDefault } from './table.ts';

/** SQLite tables for the instance itself: settings, events, audit log, tasks, template installations and metrics. */
export const INSTANCE_TABLES = {
  settings: {
    key: text(),
    value: text(),
  },

  /** MACs of protected rows. They show whether a row was changed outside of Davit. */
  row_macs: {
    table_name: text(),
    /** Primary key of the protected row: a value, or a JSON array of several values. */
    row_key: text(),
    mac: blob(),
  },

  /** Current and former domains of the Davit instance in lower case, with the time of their first use. */
  own_domains: {
    domain: text(),
    used_at: integer(),
  },

  /**
   * Host names that were removed from apps, in lower case, with the time of the last removal. SQLite triggers write
   * this table.
   */
  former_hosts: {
    host: text(),
    removed_at: integer(),
  },

  events: {
    seq: rowId(),
    at: integer(),
    kind: text<'project' | 'app' | 'deployment' | 'instance' | 'task' | 'resource'>(),
    app_id: nullable(integer()),
    deployment_id: nullable(integer()),
    /** Event data as JSON, without the fields that have their own columns. */
    data: text(),
    project_id: nullable(integer()),
    /** Name of the event's app at the time of the event, as `project/environment/app`. */
    app: nullable(text()),
  },

  audit: {
    id: rowId(),
    /** Time of the action in milliseconds since the epoch. */
    at: integer(),
    /** User name of the caller, or `null` for an unauthenticated request. */
    actor: nullable(text()),
    key_id: nullable(integer()),
    key_name: nullable(text()),
    via: text<Via>(),
    ip: text(),
    operation: text(),
    target: text(),
    /**
     * Id of the project in which the action happened. `null` if the action does not belong to a project. 0 if the
     * request names a project that does not exist.
     */
    project_id: nullable(integer()),
    outcome: text<'ok' | 'refused' | 'failed'>(),
    status: integer(),
    /** Number of requests that this audit row represents. Davit combines many similar requests in one row. */
    times: integer(),
    request_id: nullable(text()),
    hash: text(),
  },

  audit_head: {
    one: integer(),
    last_id: integer(),
    last_hash: text(),
    pruned_id: integer(),
    pruned_hash: text(),
    /**
     * Id of the first audit row that was manipulated, or `null` if no manipulation was found. After Davit has set this
     * id, it never changes.
     */
    broken_at: nullable(integer()),
    mac: text(),
  },

  /**
   * Stored responses to requests with an `Idempotency-Key` header. The combination of caller, URL path and key is
   * unique.
   */
  answers: {
    caller: text(),
    /** URL path of the request, exactly as the client sent it. */
    route: text(),
    key: text(),
    /** Hash of the request's query string and body. */
    body_hash: text(),
    at: integer(),
    /** HTTP status of the response. `null` while the request is in progress, or if the response was not stored. */
    status: nullable(integer()),
    /** Stored HTTP response to the request, as encrypted JSON. */
    answer: nullable(text()),
  },

  /**
   * Background tasks, such as the restore of a backup. `input` and `state` are encrypted. When a task ends, both
   * columns are set to `null`.
   */
  tasks: {
    id: rowId(),
    kind: text(),
    subject_kind: text<TaskSubjectKind>(),
    subject: text(),
    /** Id of the task's project. `null` if only users with access to all projects can see the task. */
    project_id: nullable(integer()),
    status: withDefault(text<TaskStatus>()),
    input: nullable(text()),
    state: nullable(text()),
    /** Progress of the running task, as JSON of the type `Progress`. */
    progress: nullable(text()),
    /** Log lines of the task, as a JSON array. */
    log: nullable(text()),
    error: nullable(text()),
    cancel_asked: withDefault(integer()),
    asked_by: text(),
    asked_via: text<Via>(),
    created_at: integer(),
    started_at: nullable(integer()),
    finished_at: nullable(integer()),
    /**
     * Machine-readable code of the error in the column `error`. Only errors that an image or Docker caused have a code.
     * `null` for all other errors.
     */
    error_code: nullable(text<WorkProblemCode>()),
  },

  task_steps: {
    id: rowId(),
    task_id: integer(),
    name: text(),
    started_at: integer(),
    finished_at: nullable(integer()),
    error: nullable(text()),
  },

  template_installs: {
    id: rowId(),
    title: text(),
    project: text(),
    environment: text(),
    /** Id of the project in which the template is installed. `null` if the project does not exist. */
    project_id: nullable(integer()),
    /** Source and checksum of the template, as JSON of the type `InstallOrigin`. */
    origin: text(),
    /** Manifest of the template (the contents of `template.yaml`), as encrypted JSON. */
    manifest: text(),
    /** Names that the user chose for the apps and databases of the template, as JSON. */
    names: text(),
    /** Existing resources that the installation uses instead of creating new resources, as JSON. */
    adopt: text(),
    /** Values that the user entered for the inputs of the template, as encrypted JSON. */
    answers: text(),
    /** Previously installed release of the template, as encrypted JSON. `null` if no earlier release was installed. */
    previous: nullable(text()),
    newer: nullable(text()),
    installed_at: nullable(integer()),
    uninstalled_at: nullable(integer()),
    asked_by: text(),
    asked_via: text<Via>(),
    created_at: integer(),
    updated_at: integer(),
  },

  template_resources: {
    id: rowId(),
    install_id: integer(),
    kind: text<ResourceKind>(),
    key: nullable(text()),
    name: text(),
    reference: text(),
    state: text<'planned' | 'made' | 'adopted' | 'used' | 'kept'>(),
    created_at: integer(),
    /**
     * Id of the created resource, for example of an app in the table `apps`. `null` if the resource does not exist yet,
     * or if an earlier Davit version created it.
     */
    thing_id: nullable(integer()),
  },

  /** CPU, memory and other measurements. Each row contains the measurements of one time interval. */
  metrics: {
    subject: text<'app' | 'database' | 'machine'>(),
    step_s: integer(),
    /** End of the time interval of this row, in milliseconds since the epoch. */
    at: integer(),
    data: blob(),
  },

  /** Request counts of apps. Each row contains the counts of one time interval. */
  traffic: {
    step_s: integer(),
    /** End of the time interval of this row, in milliseconds since the epoch. */
    at: integer(),
    data: blob(),
  },

  /** Last known request counters of each HAProxy process. */
  traffic_counts: {
    process: integer(),
    data: blob(),
  },
};
