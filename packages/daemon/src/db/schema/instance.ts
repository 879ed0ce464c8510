import type { ResourceKind, TaskStatus, TaskSubjectKind, Via, WorkProblemCode } from '@davit/api';
import { blob, integer, nullable, rowId, text, withDefault } from './table.ts';

/** Tables for the instance itself: settings, events, audit log, tasks, templates and measurements. */
export const INSTANCE_TABLES = {
  settings: {
    key: text(),
    value: text(),
  },

  /** All present and former domains of the instance, in lower case, with the time of their first use. */
  own_domains: {
    domain: text(),
    used_at: integer(),
  },

  /**
   * All hosts that were removed from an app, in lower case, with the time of their last removal. Triggers write this
   * table.
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
    /** JSON of the event, see `tables/event.ts`. */
    data: text(),
    project_id: nullable(integer()),
    /** Reference of the app at the time of the event. */
    app: nullable(text()),
  },

  audit: {
    id: rowId(),
    /** Time in milliseconds since the epoch. */
    at: integer(),
    /** Username, or `null` if the caller was not authenticated. */
    actor: nullable(text()),
    key_id: nullable(integer()),
    key_name: nullable(text()),
    via: text<Via>(),
    ip: text(),
    operation: text(),
    target: text(),
    /** Project id. `null` if the row belongs to no project, 0 if the project does not exist. */
    project_id: nullable(integer()),
    outcome: text<'ok' | 'refused' | 'failed'>(),
    status: integer(),
    /** Number of requests that the row represents. */
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
    /** Number of the first row that was found to be changed. Once set, it never changes. */
    broken_at: nullable(integer()),
    mac: text(),
  },

  /** Responses to requests with an idempotency key. A key is unique for each caller and route. */
  answers: {
    caller: text(),
    /** Path of the request, as the client sent it. */
    route: text(),
    key: text(),
    /** Hash of the query and the body. */
    body_hash: text(),
    at: integer(),
    /** HTTP status. `null` while the request is in progress, or if its response was not recorded. */
    status: nullable(integer()),
    /** Encrypted response. */
    answer: nullable(text()),
  },

  /** Tasks. `input` and `state` are encrypted, and `null` once the task has ended. */
  tasks: {
    id: rowId(),
    kind: text(),
    subject_kind: text<TaskSubjectKind>(),
    subject: text(),
    /** Project id, or `null` if only users with access to all projects see the task. */
    project_id: nullable(integer()),
    status: withDefault(text<TaskStatus>()),
    input: nullable(text()),
    state: nullable(text()),
    /** JSON of `Progress` in `tables/task.ts`. */
    progress: nullable(text()),
    /** JSON array of log lines. */
    log: nullable(text()),
    error: nullable(text()),
    cancel_asked: withDefault(integer()),
    asked_by: text(),
    asked_via: text<Via>(),
    created_at: integer(),
    started_at: nullable(integer()),
    finished_at: nullable(integer()),
    /** Code of a problem with an image. */
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
    /** Project id, or `null` if the project does not exist. */
    project_id: nullable(integer()),
    /** JSON of the source of the template. */
    origin: text(),
    /** JSON of the manifest. */
    manifest: text(),
    /** JSON of the chosen names. */
    names: text(),
    /** JSON of the existing resources to adopt. */
    adopt: text(),
    /** Encrypted JSON of the inputs. */
    answers: text(),
    /** Encrypted JSON of the previous release, or `null` if there was none. */
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
     * Id of the resource in its own table. `null` until the resource is created, and in rows of earlier Davit versions.
     */
    thing_id: nullable(integer()),
  },

  /** Measurements, with one row for each time step. */
  metrics: {
    subject: text<'app' | 'database' | 'machine'>(),
    step_s: integer(),
    /** End of the time step, in milliseconds since the epoch. */
    at: integer(),
    data: blob(),
  },

  /** Requests to apps, with one row for each time step. */
  traffic: {
    step_s: integer(),
    /** End of the time step, in milliseconds since the epoch. */
    at: integer(),
    data: blob(),
  },

  /** Last counters of each proxy process. */
  traffic_counts: {
    process: integer(),
    data: blob(),
  },
};
