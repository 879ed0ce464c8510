/** Label names, the join between our records and the engine's objects. Values are strings. */
export const LABEL = {
  /** The permanent id of the Davit that owns the object. */
  instance: 'davit.instance',
  /** What the object is: see {@link ObjectKind}. */
  kind: 'davit.kind',
  /** The reference of the app, database or object store that the object is of. */
  app: 'davit.app',
  /** Of a volume: which of them its owner is. One without it is an app's. */
  owner: 'davit.owner',
  /** The deployment's number. */
  deployment: 'davit.deployment',
} as const;

/**
 * On an image of the platform: the hash of the recipe that built it. On one of its containers: the hash of the settings that
 * it was created with; a container with another one is replaced.
 */
export const RECIPE_LABEL = 'davit.recipe';

/** What a group's containers are of, and whose a volume is. */
export type GroupKind = 'app' | 'database' | 'store';

/** `release`: a deployment's command. `run`: a command that somebody or a schedule asked for. */
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
