import type { DeploymentPhase, DeploymentStatus, Trigger, Via, WorkProblemCode } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** Releases, deployments, instances and images. */
export const DEPLOYMENT_TABLES = {
  deployments: {
    id: rowId(),
    app_id: integer(),
    tag: text(),
    image: text(),
    image_id: nullable(text()),
    digest: nullable(text()),
    /** Port of the instances, once the image is known; `null` for a worker. */
    port: nullable(integer()),
    /** 1: the image has a HEALTHCHECK. */
    healthcheck: withDefault(integer()),
    status: text<DeploymentStatus>(),
    phase: nullable(text<DeploymentPhase>()),
    revision: integer(),
    trigger_kind: text<Trigger['kind']>(),
    trigger_by: text(),
    trigger_via: text<Via>(),
    rollback_of: nullable(integer()),
    superseded_by: nullable(integer()),
    cancel_asked: withDefault(integer()),
    error: nullable(text()),
    log: nullable(text()),
    created_at: integer(),
    started_at: nullable(integer()),
    finished_at: nullable(integer()),
    /** Reference of the app whose image was promoted. The next two columns are its project and its deployment. */
    promoted_app: nullable(text()),
    promoted_project: nullable(integer()),
    promoted_deployment: nullable(integer()),
    /** JSON of the volumes and ports that the containers are created with. */
    mounts: nullable(text()),
    /** Code of a problem with the image. */
    error_code: nullable(text<WorkProblemCode>()),
    image_held: withDefault(integer()),
    /** When the held image was first missing at the engine; `null` if it is there, or if none is held. */
    image_missing_since: nullable(integer()),
    /** JSON of the limits of the container of the release command, or `null` if none runs. */
    release_limits: nullable(text()),
  },

  deployment_steps: {
    deployment_id: integer(),
    seq: integer(),
    name: text(),
    started_at: integer(),
    finished_at: nullable(integer()),
    error: nullable(text()),
  },

  instances: {
    id: rowId(),
    app_id: integer(),
    deployment_id: integer(),
    environment_id: integer(),
    node: withDefault(text()),
    ordinal: integer(),
    name: text(),
    address: text(),
    container_id: nullable(text()),
    role: text<'starting' | 'active' | 'draining' | 'gone'>(),
    /** 1: the engine restarts the container. */
    kept: withDefault(integer()),
    observed: withDefault(text<'unknown' | 'running' | 'down'>()),
    restarts: withDefault(integer()),
    started_at: nullable(integer()),
    /** When a draining instance is stopped at the latest. */
    drain_until: nullable(integer()),
    /** JSON of the limits that are reserved for the container, which has at most these; see `instance-limits.ts`. */
    limits: nullable(text()),
    /** 1: the engine has not confirmed that the container has exactly these limits. */
    limits_pending: withDefault(integer()),
  },

  /** The last push to each tag, and its result. */
  pushes: {
    app_id: integer(),
    tag: text(),
    digest: text(),
    /** Username, or `null` if the registry did not name one. */
    pushed_by: nullable(text()),
    at: integer(),
    outcome: text<'deployed' | 'recorded' | 'refused' | 'waiting' | 'unauthorized'>(),
    /** A sentence, or `null`. */
    reason: nullable(text()),
  },

  /** Tags in the repositories of apps. */
  release_tags: {
    /** A push that changes a tag gives it a new, greater number. */
    id: rowId(),
    app_id: integer(),
    tag: text(),
    digest: text(),
    media_type: nullable(text()),
    /** `null` until it is measured. */
    bytes: nullable(integer()),
    pushed_at: integer(),
    pushed_by: nullable(text()),
  },

  /** Repositories of the registry. The name is the reference of the app. */
  repositories: {
    name: text(),
    tags: withDefault(integer()),
    /** `null` until it is measured. */
    bytes: nullable(integer()),
    of_app: nullable(integer()),
    of_project: nullable(integer()),
    /** When the app was first found to be gone; `null` while it exists. */
    unowned_since: nullable(integer()),
    /** When a token for the repository was last issued. */
    granted_at: nullable(integer()),
    push_granted_at: nullable(integer()),
  },

  registries: {
    id: rowId(),
    /** In canonical spelling. */
    host: text(),
    /** 1: used by every project without credentials of its own. */
    all_projects: integer<0 | 1>(),
    username: text(),
    /** Sealed. */
    password: text(),
    created_at: integer(),
    updated_at: integer(),
    /** When the registry last accepted the credentials; `null` if they were never checked. */
    checked_at: nullable(integer()),
  },

  registry_projects: {
    host: text(),
    project_id: integer(),
    registry_id: integer(),
  },

  /** Names under which this instance pulled images. */
  pulled_images: {
    reference: text(),
    /** `null` while the pull is in progress. */
    image_id: nullable(text()),
    pulled_at: integer(),
  },

  /** `packages`, `available`, `previous` and `kept_back` are JSON. */
  platform_images: {
    name: text(),
    image_id: text(),
    recipe: text(),
    packages: text(),
    built_at: integer(),
    checked_at: nullable(integer()),
    available: text(),
    previous: nullable(text()),
    kept_back: nullable(text()),
  },

  unrecorded_images: {
    tag: text(),
    /** When it was first found, in milliseconds since the epoch. */
    found_at: integer(),
  },

  image_blobs: {
    repository: text(),
    digest: text(),
  },

  image_manifests: {
    repository: text(),
    digest: text(),
    image_id: text(),
  },
};
