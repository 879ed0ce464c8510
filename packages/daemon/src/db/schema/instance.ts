import type { ResourceKind, TaskStatus, TaskSubjectKind, Via, WorkProblemCode } from '@davit/api';
import { blob, integer, nullable, rowId, text, withDefault } from './table.ts';

/** The instance itself: settings, events, audit log, tasks, templates, measurements. */
export const INSTANCE_TABLES = {
  settings: {
    key: text(),
    value: text(),
  },

  /** Every domain that the instance has had, in lower case, with the time of its first use. */
  own_domains: {
    domain: text(),
    used_at: integer(),
  },

  /** Every host that was removed from an app, in lower case, with the time of its last removal. Triggers write it. */
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
    /** JSON, see `tables/event.ts`. */
    data: text(),
    project_id: nullable(integer()),
    /** Reference of the app at that time. */
    app: nullable(text()),
  },

  audit: {
    id: rowId(),
    /** Milliseconds since the epoch. */
    at: integer(),
    /** `null` if the caller was not authenticated. */
    actor: nullable(text()),
    key_id: nullable(integer()),
    key_name: nullable(text()),
    via: text<Via>(),
    ip: text(),
    operation: text(),
    target: text(),
    /** `null` for no project, 0 for a project that does not exist. */
    project_id: nullable(integer()),
    outcome: text<'ok' | 'refused' | 'failed'>(),
    status: integer(),
    /** Number of requests that the row stands for. */
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
    /** Number of the first row that was found to be changed. Once set, it stays. */
    broken_at: nullable(integer()),
    mac: text(),
  },

  /** Answers of requests with an idempotency key. A key is unique for each caller and route. */
  answers: {
    caller: text(),
    /** Path as the client sent it. */
    route: text(),
    key: text(),
    /** Hash of the query and the body. */
    body_hash: text(),
    at: integer(),
    /** `null` while the work is in progress, or if its answer was not recorded. */
    status: nullable(integer()),
    /** Sealed. */
    answer: nullable(text()),
  },

  /** `input` and `state` are sealed, and `null` once the task has ended. */
  tasks: {
    id: rowId(),
    kind: text(),
    subject_kind: text<TaskSubjectKind>(),
    subject: text(),
    /** `null` if only users of all projects see the task. */
    project_id: nullable(integer()),
    status: withDefault(text<TaskStatus>()),
    input: nullable(text()),
    state: nullable(text()),
    /** JSON of `Progress` in `tables/task.ts`. */
    progress: nullable(text()),
    /** JSON array of lines. */
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
    /** `null` if the project does not exist, or no longer exists. */
    project_id: nullable(integer()),
    /** JSON of the source of the template. */
    origin: text(),
    /** JSON of the manifest. */
    manifest: text(),
    /** JSON of the chosen names. */
    names: text(),
    /** JSON of the existing resources to adopt. */
    adopt: text(),
    /** Sealed JSON. */
    answers: text(),
    /** Sealed JSON of the previous release, or `null` if there was none. */
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
    /** Number of the resource in its own table; `null` until it is created, and in rows of earlier versions. */
    thing_id: nullable(integer()),
  },

  /** Measurements, a row for each step. */
  metrics: {
    subject: text<'app' | 'database' | 'machine'>(),
    step_s: integer(),
    /** End of the step, in milliseconds since the epoch. */
    at: integer(),
    data: blob(),
  },

  /** Requests to apps, a row for each step. */
  traffic: {
    step_s: integer(),
    /** End of the step, in milliseconds since the epoch. */
    at: integer(),
    data: blob(),
  },

  /** Last counters of each process of the proxy. */
  traffic_counts: {
    process: integer(),
    data: blob(),
  },
};
