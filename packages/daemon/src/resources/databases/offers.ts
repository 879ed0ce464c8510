/**
 * Database engines that users can create on this server, with their versions, images and extensions. The validation of
 * templates uses the same lists.
 */
import { DATABASE_ENGINES, type DatabaseEngine, type DatabaseEngineOffer } from '@davit/api';
import { ENGINES, EXTENSIONS } from '@davit/template/parts';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { MadeEngine, MadeImage } from '../../adapters/engine/made-images.ts';
import { DIALECTS } from './dialects/index.ts';

/** Returns the name of the official Docker image of each database engine. */
const IMAGES: Record<DatabaseEngine, (version: string) => string> = {
  postgres: (version) => `postgres:${version}`,
  mysql: (version) => `mysql:${version}`,
  mariadb: (version) => `mariadb:${version}`,
  redis: (version) => `redis:${version}`,
  mongodb: (version) => `mongo:${version}`,
};

/**
 * Docker images with PostgreSQL extensions that are missing in the official image. Each image in the list also contains
 * the extensions of all earlier images in the list.
 */
const EXTENDED: readonly { extension: string; image: (version: string) => string }[] = [
  { extension: 'pgvector', image: (version) => `pgvector/pgvector:pg${version}` },
  { extension: 'vectorchord', image: (version) => `tensorchord/vchord-postgres:pg${version}-v0.4.3` },
];

/**
 * Returns all database engines with their versions. Davit builds the images of some versions itself. These versions
 * come first, because they need no download.
 */
export async function databaseOffers(engine: Pick<Engine, 'madeImages'>): Promise<DatabaseEngineOffer[]> {
  const made = await engine.madeImages();
  return DATABASE_ENGINES.map((name) =>
    offerOf(
      name,
      made.filter((image) => image.engine === name),
    ),
  );
}

function offerOf(name: DatabaseEngine, made: readonly MadeImage[]): DatabaseEngineOffer {
  const { versions, port, stem, named, onlyUser, refusedUsers } = ENGINES[name] ?? missing(name);
  const pulled = versions.filter((version) => made.every((image) => image.version !== version));
  return {
    ...{ engine: name, port, stem, named, only_user: onlyUser ?? null, refused_users: [...refusedUsers] },
    versions: [
      ...made.map(({ version, reference }) => ({ version, image: reference, made_here: true })),
      ...pulled.map((version) => ({ version, image: IMAGES[name](version), made_here: false })),
    ],
    extensions: DIALECTS[name].hasExtensions ? Object.entries(EXTENSIONS).map(presentExtension) : [],
  };
}

function presentExtension([name, { needs, versions }]: [
  string,
  { needs: readonly string[]; versions: readonly string[] },
]) {
  return { name, needs: [...needs], versions: [...versions] };
}

export function imageFor(offer: DatabaseEngineOffer, version: string, extensions: readonly string[]): string {
  const extended = EXTENDED.findLast(({ extension }) => extensions.includes(extension));
  if (extended !== undefined) return extended.image(version);
  return offer.versions.find((one) => one.version === version)?.image ?? IMAGES[offer.engine](version);
}

/** Returns the database engine if Davit builds this image itself. If Docker must pull the image, returns `null`. */
export async function makesImage(
  engine: Pick<Engine, 'madeImages'>,
  name: DatabaseEngine,
  version: string,
  image: string,
): Promise<MadeEngine | null> {
  const found = (await engine.madeImages()).find((one) => one.reference === image);
  return found !== undefined && found.engine === name && found.version === version ? found.engine : null;
}

function missing(name: string): never {
  throw new Error(`the rules of templates do not contain the engine ${name}`);
}
