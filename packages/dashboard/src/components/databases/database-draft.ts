import type { DatabaseEngine, DatabaseEngineOffer } from '@davit/api';
import type { Args } from '../../api.ts';
import { limitsOf, memoryProblem } from '../things/general-draft.ts';

export interface DatabaseDraft {
  /** Target environment in the form `project/environment`. */
  place: string;
  name: string;
  engine: DatabaseEngine;
  /** Version of the database engine. If this field is empty, the first version in the API's list is used. */
  version: string;
  description: string;
  extensions: readonly string[];
  /** Name of the database user. If this field is empty, the default of the database engine is used. */
  username: string;
  /**
   * Name of the database in the database server. If this field is empty, the database has the same name as in the
   * dashboard.
   */
  database: string;
  cpu: string;
  memory: string;
  isExposed: boolean;
}

export const ENGINE_NAMES: Readonly<Record<DatabaseEngine, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  redis: 'Redis',
  mongodb: 'MongoDB',
};

export function newDatabase(target: string): DatabaseDraft {
  const text = { name: '', version: '', description: '', username: '', database: '', cpu: '', memory: '' };
  return { ...text, place: target, engine: 'postgres', extensions: [], isExposed: false };
}

/**
 * Changes the database engine in the form for a new database. Resets the version, extensions, user name and database
 * name, because they depend on the engine.
 */
export function withEngine(draft: DatabaseDraft, engine: DatabaseEngine): DatabaseDraft {
  return { ...draft, engine, version: '', extensions: [], username: '', database: '' };
}

/**
 * Changes the version in the form for a new database. Selected extensions stay selected if the new version also
 * supports them.
 */
export function withVersion(draft: DatabaseDraft, version: string, offer: DatabaseEngineOffer): DatabaseDraft {
  const there = extensionsOf(offer, version).map(({ name }) => name);
  return { ...draft, version, extensions: draft.extensions.filter((name) => there.includes(name)) };
}

/**
 * Returns the data of the selected version of a database engine. If the selected version is unknown, returns the first
 * version in the API's list.
 */
export function versionOf({ versions }: DatabaseEngineOffer, chosen: string) {
  return versions.find(({ version }) => version === chosen) ?? versions[0];
}

export function extensionsOf(offer: DatabaseEngineOffer, chosen: string) {
  const version = versionOf(offer, chosen)?.version;
  return offer.extensions.filter(({ versions }) => version !== undefined && versions.includes(version));
}

/**
 * Describes where the container image of a database version comes from. Either Davit builds the image, or Davit pulls
 * it from a registry.
 */
export function originOf(offer: DatabaseEngineOffer, chosen: string): string {
  const found = versionOf(offer, chosen);
  if (found === undefined) return 'No version of this database engine is available on this server.';
  const { made_here, image } = found;
  return made_here
    ? 'Davit builds the image of the database on this server, from packages of the Linux distribution of the server.'
    : `Davit pulls the image ${image} from its registry.`;
}

/**
 * Returns a message about the first missing or wrong field of the new database form. Returns `null` if all fields are
 * valid.
 */
export function missingIn({ place: target, name, memory }: DatabaseDraft): string | null {
  if (target === '') return 'Create a project with an environment first.';
  if (name === '') return 'Enter a name first.';
  return memoryProblem(memory);
}

type Body = NonNullable<Args<'createDatabase'>['body']>;

export function databaseBody(draft: DatabaseDraft): Body {
  const [project = '', environment = ''] = draft.place.split('/');
  const { name, engine, version, extensions, isExposed } = draft;
  const description = draft.description.trim();
  return {
    ...{ project, environment, name, engine },
    ...(version !== '' && { version }),
    ...(description !== '' && { description }),
    ...(extensions.length > 0 && { extensions: [...extensions] }),
    ...(draft.username !== '' && { username: draft.username }),
    ...(draft.database !== '' && { database: draft.database }),
    limits: limitsOf(draft),
    ...(isExposed && { expose: 0 }),
  };
}

/**
 * Submitted forms for new databases. The key is the reference of the new database. If a creation fails, users do not
 * have to type the values again. The forms contain no passwords.
 */
const sent = new Map<string, DatabaseDraft>();

export function keepDraft(draft: DatabaseDraft): void {
  sent.set(`${draft.place}/${draft.name}`, draft);
}

/**
 * Returns the form for a database whose creation failed. After a reload of the page, the form contains only the name
 * and the environment.
 * @param reference `project/environment/name`
 */
export function draftAgain(reference: string): DatabaseDraft {
  const [project = '', environment = '', name = ''] = reference.split('/');
  return sent.get(reference) ?? { ...newDatabase(`${project}/${environment}`), name };
}
