/** Docker labels that link a container, network or volume to a record in Davit's database. */
export const LABEL = {
  /** Docker label with the permanent id of the Davit instance that owns the container, network or volume. */
  instance: 'davit.instance',
  /** Docker label with the kind of a container, network or volume, one of `ObjectKind`. */
  kind: 'davit.kind',
  /** Docker label with the reference of the app, database or object store that owns the Docker object. */
  app: 'davit.app',
  /**
   * Docker label with the kind of a volume's owner: `app`, `database` or `store`. A volume without this label belongs
   * to an app.
   */
  owner: 'davit.owner',
  deployment: 'davit.deployment',
} as const;

/**
 * Docker label with a hash of an image's build instructions, or of the settings of Davit's own containers. If the hash
 * is outdated, Davit replaces the image or container.
 */
export const RECIPE_LABEL = 'davit.recipe';

/** Kind of the owner of containers or volumes: an app, a database or an object store. */
export type GroupKind = 'app' | 'database' | 'store';

/**
 * Kind of a Docker object. `release` is the release command of a deployment. `run` is a command that a user or a cron
 * schedule started.
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
