import type { DeploymentPhase, DeploymentProblemCode, DeploymentStatus, Trigger, Via } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** SQLite tables for deployments, replicas, releases, registry repositories and images. */
export const DEPLOYMENT_TABLES = {
  deployments: {
    id: rowId(),
    app_id: integer(),
    tag: text(),
    image: text(),
    image_id: nullable(text()),
    digest: nullable(text()),
    /**
     * Container port of the app. `null` until the image is known. Always `null` for workers, because workers have no
     * port.
     */
    port: nullable(integer()),
    /** 1 if the image defines a Docker HEALTHCHECK. */
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
    /**
     * Name of the app from which the image was promoted, as `project/environment/app`. A promotion deploys the image of
     * another app. `null` for other deployments.
     */
    promoted_app: nullable(text()),
    promoted_project: nullable(integer()),
    promoted_deployment: nullable(integer()),
    /** Volumes and published ports of the deployment's containers, as JSON. */
    mounts: nullable(text()),
    /**
     * Machine-readable code of the error in the column `error`. Only errors that an image or Docker caused have a code.
     * `null` for all other errors.
     */
    error_code: nullable(text<DeploymentProblemCode>()),
    /** 1 if Davit keeps the image of this deployment in Docker, and does not remove it. */
    image_held: withDefault(integer()),
    /**
     * Time when Davit first noticed that Docker no longer has the image of this deployment. `null` if Docker has the
     * image, or if Davit does not need it.
     */
    image_missing_since: nullable(integer()),
    /**
     * CPU, memory and process limits of the container that runs the release command, as JSON. `null` if no such
     * container exists.
     */
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
    /** 1 if Davit has set the restart policy of the container. Docker then restarts the container automatically. */
    kept: withDefault(integer()),
    observed: withDefault(text<'unknown' | 'running' | 'down'>()),
    restarts: withDefault(integer()),
    started_at: nullable(integer()),
    /**
     * Deadline for the open requests of a draining replica (a replica that gets no new requests). Davit then stops the
     * replica.
     */
    drain_until: nullable(integer()),
    /**
     * CPU, memory and process limits that the project quota reserves for the replica, as JSON. The limits of the
     * Docker container are never higher.
     */
    limits: nullable(text()),
    /**
     * 1 if Docker has not yet confirmed the limits in the column `limits`. Until then, the container may have lower
     * limits.
     */
    limits_pending: withDefault(integer()),
  },

  /** Last image push to each tag of an app, with the outcome of the push. */
  pushes: {
    app_id: integer(),
    tag: text(),
    digest: text(),
    /** User who pushed the image, or `null` if the registry did not report a user. */
    pushed_by: nullable(text()),
    at: integer(),
    outcome: text<'deployed' | 'recorded' | 'refused' | 'waiting' | 'unauthorized'>(),
    /** Sentence that explains the outcome of the push, or `null` if there is no explanation. */
    reason: nullable(text()),
  },

  /** Image tags in the registry repositories of apps. */
  release_tags: {
    /** Release number. If a push moves a tag to another image, the tag gets a new, higher release number. */
    id: rowId(),
    app_id: integer(),
    tag: text(),
    digest: text(),
    media_type: nullable(text()),
    /** Image size in bytes, or `null` before the size is measured. */
    bytes: nullable(integer()),
    pushed_at: integer(),
    pushed_by: nullable(text()),
  },

  /** Repositories of the instance's registry. The name of a repository is `project/environment/app`. */
  repositories: {
    name: text(),
    tags: withDefault(integer()),
    /** Size of the repository on disk in bytes, or `null` before the size is measured. */
    bytes: nullable(integer()),
    of_app: nullable(integer()),
    of_project: nullable(integer()),
    /** Time when the daemon first found that the repository's app no longer exists. `null` if the app exists. */
    unowned_since: nullable(integer()),
    /** Time when a registry client last got an access token for the repository. */
    granted_at: nullable(integer()),
    push_granted_at: nullable(integer()),
  },

  registries: {
    id: rowId(),
    /** Host name of the external registry, in normalized form. */
    host: text(),
    /**
     * 1 if all projects may use the credentials. A project with its own credentials for this registry uses its own
     * credentials.
     */
    all_projects: integer<0 | 1>(),
    username: text(),
    /** Password for the external registry, encrypted. */
    password: text(),
    created_at: integer(),
    updated_at: integer(),
    /**
     * Time when the external registry last accepted the credentials. `null` if Davit has never checked the credentials.
     */
    checked_at: nullable(integer()),
  },

  registry_projects: {
    host: text(),
    project_id: integer(),
    registry_id: integer(),
  },

  /** Image references that this instance pulled, such as `docker.io/library/nginx:1`. */
  pulled_images: {
    reference: text(),
    /** Docker image id. `null` until the pull has finished. */
    image_id: nullable(text()),
    pulled_at: integer(),
  },

  /** Images that Davit itself builds. The columns `packages`, `available`, `previous` and `kept_back` contain JSON. */
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
    /** Time when the daemon first found the image in Docker, in milliseconds since the epoch. */
    found_at: integer(),
  },

  /** Digests of the image layers and image configurations that Davit has found in registry repositories. */
  image_blobs: {
    repository: text(),
    digest: text(),
  },

  /** Manifest digests of images. Davit has found all layers of each image in a registry repository. */
  image_manifests: {
    repository: text(),
    digest: text(),
    image_id: text(),
  },
};
