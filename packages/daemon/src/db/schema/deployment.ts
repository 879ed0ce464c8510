import type { DeploymentPhase, DeploymentStatus, Trigger, Via, WorkProblemCode } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** Tables for releases, deployments, replicas and images. */
export const DEPLOYMENT_TABLES = {
  deployments: {
    id: rowId(),
    app_id: integer(),
    tag: text(),
    image: text(),
    image_id: nullable(text()),
    digest: nullable(text()),
    /** Port of the replicas. `null` until the image is known, and for a worker. */
    port: nullable(integer()),
    /** 1 if the image has a HEALTHCHECK. */
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
    /** Reference of the app whose image was promoted. The next two columns contain its project and its deployment. */
    promoted_app: nullable(text()),
    promoted_project: nullable(integer()),
    promoted_deployment: nullable(integer()),
    /** JSON of the volumes and ports with which the containers are created. */
    mounts: nullable(text()),
    /** Code of a problem with the image. */
    error_code: nullable(text<WorkProblemCode>()),
    image_held: withDefault(integer()),
    /**
     * Time at which the held image was first missing at the engine. `null` if the engine has the image, or if no image
     * is held.
     */
    image_missing_since: nullable(integer()),
    /** JSON of the limits of the container of the release command, or `null` if no such container runs. */
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
    /** 1 if the engine restarts the container automatically. */
    kept: withDefault(integer()),
    observed: withDefault(text<'unknown' | 'running' | 'down'>()),
    restarts: withDefault(integer()),
    started_at: nullable(integer()),
    /** Latest time at which a draining replica is stopped. */
    drain_until: nullable(integer()),
    /**
     * JSON of the limits that are reserved for the container. The limits of the container are never higher; see
     * `instance-limits.ts`.
     */
    limits: nullable(text()),
    /** 1 if the engine has not confirmed yet that the container has exactly these limits. */
    limits_pending: withDefault(integer()),
  },

  /** The last push to each tag, and its result. */
  pushes: {
    app_id: integer(),
    tag: text(),
    digest: text(),
    /** Username, or `null` if the registry did not report one. */
    pushed_by: nullable(text()),
    at: integer(),
    outcome: text<'deployed' | 'recorded' | 'refused' | 'waiting' | 'unauthorized'>(),
    /** Reason as a sentence, or `null`. */
    reason: nullable(text()),
  },

  /** Tags in the repositories of apps. */
  release_tags: {
    /** Number of the release. A push that changes a tag gives the tag a new, greater number. */
    id: rowId(),
    app_id: integer(),
    tag: text(),
    digest: text(),
    media_type: nullable(text()),
    /** Size in bytes, or `null` until it is measured. */
    bytes: nullable(integer()),
    pushed_at: integer(),
    pushed_by: nullable(text()),
  },

  /** Repositories of the registry. The name of a repository is the reference of its app. */
  repositories: {
    name: text(),
    tags: withDefault(integer()),
    /** Size in bytes, or `null` until it is measured. */
    bytes: nullable(integer()),
    of_app: nullable(integer()),
    of_project: nullable(integer()),
    /** Time at which the daemon first found that the app no longer exists. `null` while the app exists. */
    unowned_since: nullable(integer()),
    /** Time at which a token for the repository was last issued. */
    granted_at: nullable(integer()),
    push_granted_at: nullable(integer()),
  },

  registries: {
    id: rowId(),
    /** Host name in canonical spelling. */
    host: text(),
    /** 1 if every project without its own credentials uses these credentials. */
    all_projects: integer<0 | 1>(),
    username: text(),
    /** Encrypted password. */
    password: text(),
    created_at: integer(),
    updated_at: integer(),
    /** Time at which the registry last accepted the credentials, or `null` if they were never checked. */
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
    /** Id of the image, or `null` while the pull is in progress. */
    image_id: nullable(text()),
    pulled_at: integer(),
  },

  /** Images that Davit builds. `packages`, `available`, `previous` and `kept_back` contain JSON. */
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
    /** Time at which the image was first found, in milliseconds since the epoch. */
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
