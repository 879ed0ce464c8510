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

/** What a group's containers are of, and whose a volume is. */
export type GroupKind = 'app' | 'database' | 'store';

/** `release`: a deployment's command. `run`: a command that somebody or a schedule asked for. */
export type ObjectKind = GroupKind | 'release' | 'run' | 'network' | 'proxy' | 'registry' | 'names' | 'volume';
