/** A new database as it is typed, and what is sent of it. */
import type { DatabaseEngine, DatabaseEngineOffer } from '@davit/api';
import type { Args } from '../../api.ts';
import { limitsOf, memoryProblem } from '../things/general-draft.ts';

export interface DatabaseDraft {
  /** `project/environment`. */
  place: string;
  name: string;
  engine: DatabaseEngine;
  /** Empty: the first on offer. */
  version: string;
  description: string;
  extensions: readonly string[];
  /** Empty: the engine's own. */
  username: string;
  /** Empty: as the name. */
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

export function newDatabase(place: string): DatabaseDraft {
  const text = { name: '', version: '', description: '', username: '', database: '', cpu: '', memory: '' };
  return { ...text, place, engine: 'postgres', extensions: [], isExposed: false };
}

/** Another engine has other versions, extensions and names. */
export function withEngine(draft: DatabaseDraft, engine: DatabaseEngine): DatabaseDraft {
  return { ...draft, engine, version: '', extensions: [], username: '', database: '' };
}

/** Another version keeps of the chosen extensions those that it has too. */
export function withVersion(draft: DatabaseDraft, version: string, offer: DatabaseEngineOffer): DatabaseDraft {
  const there = extensionsOf(offer, version).map(({ name }) => name);
  return { ...draft, version, extensions: draft.extensions.filter((name) => there.includes(name)) };
}

/** The version that is meant: the chosen one, or the first on offer. */
export function versionOf({ versions }: DatabaseEngineOffer, chosen: string) {
  return versions.find(({ version }) => version === chosen) ?? versions[0];
}

/** The extensions that a version has. */
export function extensionsOf(offer: DatabaseEngineOffer, chosen: string) {
  const version = versionOf(offer, chosen)?.version;
  return offer.extensions.filter(({ versions }) => version !== undefined && versions.includes(version));
}

/** Where its image comes from, in a sentence. */
export function originOf(offer: DatabaseEngineOffer, chosen: string): string {
  const found = versionOf(offer, chosen);
  if (found === undefined) return 'This machine has no version of it to offer.';
  const { made_here, image } = found;
  return made_here
    ? 'This machine makes the image itself, of its system’s packages: no registry is asked.'
    : `The image ${image} is pulled from its registry.`;
}

/** What has to be filled in first, in a sentence; null: it can be sent. */
export function missingIn({ place, name, memory }: DatabaseDraft): string | null {
  if (place === '') return 'Make a project with an environment first.';
  if (name === '') return 'Give it a name first.';
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
