/** Label names that connect records of this instance with objects of the engine. All values are strings. */
export const LABEL = {
  /** Permanent id of the Davit instance that owns the object. */
  instance: 'davit.instance',
  /** Kind of the object: see {@link ObjectKind}. */
  kind: 'davit.kind',
  /** Reference of the app, database or object store that the object belongs to. */
  app: 'davit.app',
  /** Kind of the owner of a volume. A volume without this label belongs to an app. */
  owner: 'davit.owner',
  /** Number of the deployment. */
  deployment: 'davit.deployment',
} as const;

/**
 * Label with a hash. An image of the platform has the hash of the recipe that built it. A container of the platform has
 * the hash of the settings that it was created with. A container with a different hash is replaced.
 */
export const RECIPE_LABEL = 'davit.recipe';

/** Kind of the owner of a group or a volume. */
export type GroupKind = 'app' | 'database' | 'store';

/**
 * Kind of an object. `release` is the release command of a deployment. `run` is a command that a user or a schedule
 * started.
 */
export type ObjectKind =
  | GroupKind
  | 'release'
  | 'run'
  | 'network'
  | 'proxy'
  | 'registry'
  | 'names'
  | 'firewall'
  | 'volume';
