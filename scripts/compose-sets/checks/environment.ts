import { parseEnv } from 'node:util';
import { interpolated, itemsOf, mappingOf, pairsOf, textOf, UNSET } from '../compose.ts';
import { isSameValue } from '../match.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;
/** Variables that only a reverse proxy of Compose reads. A domain replaces them. */
const OF_PROXIES = /^(?:VIRTUAL_(?:HOST|PORT|PATH|PROTO)|LETSENCRYPT_(?:HOST|EMAIL))$/;
const DATABASE_NAME =
  /^(?:POSTGRES_DB|POSTGRESQL_DATABASE|(?:MYSQL|MARIADB)_DATABASE|MONGO_INITDB_DATABASE|MONGODB_DATABASE)$/;

export function checkEnvironment(part: Part, value: unknown): Verdict {
  const pairs = pairsOf(value).filter(([name]) => NAME.test(name) && !OF_PROXIES.test(name));
  if (pairs.length === 0) return 'none';
  if (part.kind === 'database') return checkDatabase(part, pairs);
  return part.kind === 'job' ? 'none' : checkPairs(part, pairs);
}

export function checkEnvFile(part: Part, value: unknown): Verdict {
  const paths = itemsOf(value).map((entry) => textOf(entry) || textOf(mappingOf(entry).path));
  const files = paths.map((path) => part.files[path.replace(/^\.\//, '')]);
  if (part.kind !== 'app' || files.some((file) => file === undefined)) return 'none';
  const own = new Set(pairsOf(part.service.values.environment).map(([name]) => name));
  const pairs = Object.entries(
    Object.assign({}, ...files.map((file) => parseEnv(file ?? ''))) as Record<string, string>,
  );
  return checkPairs(
    part,
    pairs.filter(([name]) => NAME.test(name) && !own.has(name)),
  );
}

function checkPairs({ made, references, aliases }: Part, pairs: readonly [string, string | null][]): Verdict {
  const env = mappingOf(made.env);
  // Compose uses the last value of a variable that a list contains twice.
  const differences = [...new Map(pairs)].flatMap(([name, written]) => {
    const value = Object.hasOwn(env, name) ? String(env[name]) : null;
    if (value === null) return [`${name} is missing`];
    if (!isSameValue(written, value, name, references)) return [`${name}=${written} became ${value}`];
    const lost = aliases.find((alias) => isHostIn(value, alias));
    return lost === undefined ? [] : [`${name} still contains the host name ${lost}`];
  });
  return verdictOf(differences);
}

/** Returns whether a URL or an address `name:port` in a text has this host name. */
export function isHostIn(text: string, name: string): boolean {
  return new RegExp(`(?:://|@)${RegExp.escape(name)}(?![\\w.-])|^${RegExp.escape(name)}:\\d+`).test(text);
}

function checkDatabase({ made }: Part, pairs: readonly [string, string | null][]): Verdict {
  const [, written = null] = pairs.find(([name]) => DATABASE_NAME.test(name)) ?? [];
  const name = written === null ? '' : interpolated(written);
  // The instance accepts only such names. A variable without a default leaves the name to Davit.
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,31}$/.test(name) || name.includes(UNSET)) return 'correct';
  return verdictOf(made.database === name ? [] : [`database ${name} became ${made.database}`]);
}
