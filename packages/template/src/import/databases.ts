import type { DraftDatabase } from '../draft.ts';
import { LEAST_KEPT_MEMORY_BYTES } from '../rules/amounts.ts';
import { engineNamed } from '../rules/engines.ts';
import { reportUsualCommand } from './database-command.ts';
import type { ImageName } from './image-names.ts';
import { limitsOf } from './limits.ts';
import { slugOf } from './names.ts';
import type { Teller } from './notes.ts';
import { secretPaths } from './secret-paths.ts';
import { listOf, pairsOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/**
 * Compose service that becomes a managed database. It includes the settings that apps need to connect. Placeholders
 * replace the Compose variables in these settings.
 */
export interface KnownDatabase {
  key: string;
  engine: string;
  port: number;
  user: string | null;
  /**
   * All passwords of this database in the Compose file. The import searches the variables of apps for these passwords
   * and replaces them.
   */
  passwords: string[];
  /** Names of the Compose secrets that contain the password of this database. */
  passwordSecrets: string[];
  name: string | null;
}

interface Kind {
  engine: string;
  extensions?: string[];
}

/**
 * Map from image to database engine. A key is an image path without the registry, or only the last part of the path.
 */
const IMAGES: Record<string, Kind> = {
  postgres: { engine: 'postgres' },
  postgresql: { engine: 'postgres' },
  'pgvector/pgvector': { engine: 'postgres', extensions: ['pgvector'] },
  'ankane/pgvector': { engine: 'postgres', extensions: ['pgvector'] },
  'tensorchord/vchord-postgres': { engine: 'postgres', extensions: ['vectorchord'] },
  'immich-app/postgres': { engine: 'postgres', extensions: ['vectorchord'] },
  mysql: { engine: 'mysql' },
  'mysql/mysql-server': { engine: 'mysql' },
  mariadb: { engine: 'mariadb' },
  redis: { engine: 'redis' },
  valkey: { engine: 'redis' },
  'valkey/valkey': { engine: 'redis' },
  mongo: { engine: 'mongodb' },
  mongodb: { engine: 'mongodb' },
};
/**
 * Publishers whose images contain only a database server. The publisher is the first part of an image name. The empty
 * text means official images, which have no publisher in their name.
 */
const PUBLISHERS = ['', 'bitnami', 'bitnamilegacy', 'valkey', 'mongodb', 'linuxserver'];

/**
 * Returns the database engine of an image. Returns `null` if Davit does not offer this engine as a managed database.
 */
export function databaseKind({ path, base }: ImageName): Kind | null {
  if (Object.hasOwn(IMAGES, path)) return IMAGES[path] ?? null;
  const publisher = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
  return PUBLISHERS.includes(publisher) && Object.hasOwn(IMAGES, base) ? (IMAGES[base] ?? null) : null;
}

const NAMES = {
  user: /^(?:POSTGRES_USER|POSTGRESQL_USERNAME|(?:MYSQL|MARIADB)_USER|MONGO_INITDB_ROOT_USERNAME|MONGODB_USERNAME)$/,
  password:
    /^(?:POSTGRES_PASSWORD|POSTGRESQL_(?:POSTGRES_)?PASSWORD|(?:MYSQL|MARIADB)_(?:ROOT_)?PASSWORD|MONGO_INITDB_ROOT_PASSWORD|MONGODB_(?:ROOT_)?PASSWORD|(?:REDIS|VALKEY)_PASSWORD)$/,
  name: /^(?:POSTGRES_DB|POSTGRESQL_DATABASE|(?:MYSQL|MARIADB)_DATABASE|MONGO_INITDB_DATABASE|MONGODB_DATABASE)$/,
};

/**
 * Converts a Compose service with a database image to a managed database. Adds a note about each setting that the
 * import omits.
 */
export function databaseOf(
  {
    key,
    service,
    image,
    kind,
    project,
  }: { key: string; service: Values; image: ImageName; kind: Kind; project: string },
  variables: Variables,
  report: Teller,
): { draft: DraftDatabase; known: KnownDatabase } {
  const { engine, extensions } = kind;
  const environment = pairsOf(service.environment).map(([name, value]) => [name, variables.mark(value ?? '')] as const);
  const values = (pattern: RegExp) =>
    environment.flatMap(([name, value]) => (pattern.test(name) && value ? [value] : []));
  const passwords = [...values(NAMES.password), ...requiredPassword(service, variables)];
  const [user = null] = values(NAMES.user);
  const [name = engine === 'postgres' ? user : null] = values(NAMES.name);
  const version = offeredVersion(engine, image.writtenTag, report);
  const database = name === null ? null : plainName(name, variables);
  const limits = limitsOf(service, variables, report, LEAST_KEPT_MEMORY_BYTES);
  const draft: DraftDatabase = {
    key,
    name: slugOf(key.startsWith(project) ? key : `${project}-${key}`, `${engine}-db`),
    engine,
    ...(version !== null && { version }),
    ...(extensions && { extensions }),
    ...(database !== null && engine !== 'redis' && { database }),
    ...(limits !== undefined && { limits }),
  };
  report.changed(
    'image',
    `Converted to a database of the instance: ${engine}${version === null ? '' : ` ${version}`}.`,
  );
  reportUsualCommand(engine, service, variables, report);
  reportRest(service, environment, report);
  const port = engineNamed(engine)?.port ?? 0;
  const passwordSecrets = passwordSecretsOf(service);
  return { draft, known: { key, engine, port, user, passwords, passwordSecrets, name } };
}

/** Returns the names of the Compose secrets to which variables such as `POSTGRES_PASSWORD_FILE` refer. */
function passwordSecretsOf(service: Values): string[] {
  const paths = pairsOf(service.environment).flatMap(([name, value]) =>
    NAMES.password.test(name.replace(/_FILE$/, '')) && name.endsWith('_FILE') ? [value] : [],
  );
  return secretPaths(service).flatMap(({ source, path }) => (paths.includes(path) ? [source] : []));
}

/**
 * Returns the password from a command such as `redis-server --requirepass secret`, as a list. The list is empty if the
 * command contains no password.
 */
function requiredPassword(service: Values, variables: Variables): string[] {
  const words = listOf(service.command)
    .map((word) => textOf(word) ?? '')
    .join(' ');
  const [, password = ''] = /--requirepass[\s=]+["']?([^\s"']+)/.exec(words) ?? [];
  return password === '' ? [] : [variables.mark(password)];
}

/**
 * Returns the database version for an image tag. Returns the same version if Davit offers it. Otherwise, returns the
 * next newer version, or the newest version if there is no newer version.
 */
function offeredVersion(engine: string, tag: string | null, report: Teller): string | null {
  const versions = engineNamed(engine)?.versions ?? [];
  const written = /(\d+)(?:\.(\d+))?/.exec(tag ?? '');
  const [newest = null] = versions;
  if (written === null) return newest;
  const [, major = '0', minor] = written;
  const wanted = Number(major) * 1_000 + Number(minor ?? 0);
  const numberOf = (version: string) => Number(version.split('.')[0]) * 1_000 + Number(version.split('.')[1] ?? 0);
  const sameMajor = versions.find(
    (version) => version === major || (minor === undefined && version.startsWith(`${major}.`)),
  );
  const chosen = sameMajor ?? versions.toReversed().find((version) => numberOf(version) >= wanted) ?? newest;
  const isSame = chosen === major || chosen === `${major}.${minor}` || (minor === undefined && chosen === sameMajor);
  if (!isSame)
    report.changed(
      'image',
      `Version ${major}${minor ? `.${minor}` : ''} is not supported, so the database gets ${engine} ${chosen}.`,
    );
  return chosen;
}

/**
 * Returns a database name in which defaults replace the Compose variables. Returns `null` if the resulting name is
 * invalid.
 */
export function plainName(marked: string, variables: Variables): string | null {
  const name = variables.fill(marked, ({ fallback }) => fallback ?? '');
  return /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/.test(name) ? name : null;
}

function reportRest(service: Values, environment: readonly (readonly [string, string])[], report: Teller): void {
  if (Object.hasOwn(service, 'healthcheck'))
    report.changed('healthcheck', 'The instance uses its own health check for databases.');
  if (listOf(service.secrets).length > 0)
    report.changed('secrets', 'The instance creates the password of the database instead.');
  if (environment.length > 0)
    report.changed('environment', 'The instance creates the user and the password of the database instead.');
  for (const volume of listOf(service.volumes)) {
    const text = textOf(volume) ?? '';
    if (/:\/docker-entrypoint-initdb/.test(text)) {
      report.leftOut('volumes', 'Initialization scripts of a database are not supported. Use a job of an app instead.');
    } else report.changed('volumes', 'The instance creates a volume for the data of the database.');
  }
  if (listOf(service.ports).length > 0) {
    report.leftOut(
      'ports',
      'Only apps of the instance can connect to the database. Set `expose` in the template to allow other connections.',
    );
  }
}
