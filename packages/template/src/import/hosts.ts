import type { KnownDatabase } from './databases.ts';

/** Database or app to which a host name in a Compose file refers. */
export type Target = { kind: 'db'; database: KnownDatabase } | { kind: 'app'; key: string; port: number | null };

/**
 * Text from a Compose file in which template references replace host names. The other fields list the targets of these
 * references.
 */
export interface Rewritten {
  text: string;
  /** Keys of the databases to which `text` refers. */
  databases: string[];
  /** Keys of the apps to which `text` refers. */
  apps: string[];
  /** Names of databases in URLs of the Compose file that no Compose service creates. */
  missing: string[];
}

/**
 * Maximum length in characters of a text in which the import searches for host names. A longer text cannot be an
 * address.
 */
const LONGEST = 2_048;
/**
 * Maximum total length in characters of all texts in which the import searches for host names. Usual Compose files are
 * far below this limit.
 */
const MOST = 150_000;
const HOST_NAME =
  /HOST|SERVER|ADDR|ENDPOINT|UR[IL]S?$|NODES?$|BROKERS?$|SERVICE$|UPSTREAM|BACKEND_NAME|^(?:REDIS|MONGO|MYSQL|POSTGRES|DB)$/i;
const NO_HOST_NAME = /TYPE|CLIENT|DRIVER|ENGINE|DIALECT|CONNECTION$|ADAPTER|KIND|PROVIDER|SCHEME|DBMS/i;
const MARK = '\\ue000\\d+\\ue001';

/**
 * Finds host names of Compose services in texts. Replaces the host names with references to apps and databases of the
 * template.
 */
export class Hosts {
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #address: RegExp | null;
  readonly #pairs: RegExp | null;
  readonly #name: RegExp | null;
  #left = MOST;

  constructor(targets: ReadonlyMap<string, Target>) {
    this.#targets = targets;
    const names = [...targets.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    const any = names.map((name) => name.replaceAll(/[.]/g, '\\.')).join('|');
    this.#name = names.length === 0 ? null : new RegExp(any);
    const before = `([a-zA-Z][a-zA-Z0-9+.:-]{0,40}:\\/\\/)?(?:([^\\s/@"',]{0,100})@)?(tcp\\()?(?<![\\w.-])`;
    const after = `(?::(\\d{1,5}|${MARK}))?(\\))?(?![\\w-]|\\.\\w)(\\/[^\\s?#"',;)]*)?`;
    this.#address = names.length === 0 ? null : new RegExp(`${before}(${any})${after}`, 'g');
    this.#pairs =
      names.length === 0 ? null : new RegExp(`(?:^|[\\s;])(?:host|server|data source)=(${any})(?=[\\s;,]|$)`, 'i');
  }

  /**
   * Replaces addresses, host names and credentials of Compose services with template references.
   * @param name environment variable that contains the text, or `null`
   */
  rewrite(marked: string, name: string | null): Rewritten {
    if (this.#address === null || marked.length > LONGEST)
      return { text: marked, databases: [], apps: [], missing: [] };
    const found: Found = { databases: new Set(), apps: new Set(), missing: new Set() };
    const alone = this.#targets.get(marked);
    const isHost = name !== null && HOST_NAME.test(name) && !NO_HOST_NAME.test(name);
    let text = marked;
    /*
     * The text `db` alone may not be a host name. It is replaced only in a variable whose name means a host, such as
     * `DB_HOST`.
     */
    if (alone !== undefined) text = isHost ? hostOf(alone, found) : marked;
    else text = this.#rewritePairs(this.#rewriteAddresses(marked, found), found);
    return { text, databases: [...found.databases], apps: [...found.apps], missing: [...found.missing] };
  }

  /**
   * Searches texts for addresses of apps, such as `http://web:8080`. Returns a map from the key of an app to the port
   * in its address.
   */
  portsIn(texts: readonly string[]): Map<string, number> {
    const ports = new Map<string, number>();
    if (this.#address === null) return ports;
    for (const text of texts.filter((one) => this.#mayRead(one))) {
      for (const [, , , , host = '', port = ''] of text.matchAll(this.#address)) {
        const target = this.#targets.get(host);
        if (target?.kind === 'app' && /^\d+$/.test(port) && !ports.has(target.key)) ports.set(target.key, Number(port));
      }
    }
    return ports;
  }

  /**
   * Returns whether the import should search a text for host names. Skips long texts and texts that contain no host
   * name. Also limits the total length of all texts.
   */
  #mayRead(text: string): boolean {
    if (text.length > LONGEST || text.length > this.#left || !this.#name?.test(text)) return false;
    this.#left -= text.length;
    return true;
  }

  #rewriteAddresses(text: string, found: Found): string {
    if (this.#address === null) return text;
    return text.replace(this.#address, (whole: string, ...groups: (string | undefined)[]) => {
      const [scheme, userInfo, tcp, host = '', port, close, path] = groups;
      const target = this.#targets.get(host);
      if (target === undefined || (scheme === undefined && userInfo === undefined && port === undefined)) return whole;
      const parts = { scheme: scheme ?? '', userInfo, port, path: path ?? '', open: tcp ?? '', close: close ?? '' };
      return target.kind === 'db' ? databaseAddress(target.database, parts, found) : appAddress(target, parts, found);
    });
  }

  /**
   * Replaces the values in a connection string with references. An example is `host=db port=5432 user=app`. Semicolons
   * can also separate the pairs.
   */
  #rewritePairs(text: string, found: Found): string {
    const host = this.#pairs?.exec(text)?.[1];
    const target = host === undefined ? undefined : this.#targets.get(host);
    if (target?.kind !== 'db') return text;
    const { key } = target.database;
    found.databases.add(key);
    const put = (names: string, attribute: string, from: string) =>
      from.replace(new RegExp(`((?:^|[\\s;])(?:${names})=)[^\\s;]*`, 'i'), `$1$\{db.${key}.${attribute}}`);
    const steps = [
      ['host|server|data source', 'host'],
      ['port', 'port'],
      ['user|user id|uid|username', 'user'],
      ['password|pwd', 'password'],
      ['dbname|database|initial catalog', 'name'],
    ] as const;
    return steps.reduce((from, [names, attribute]) => put(names, attribute, from), text);
  }
}

interface Found {
  databases: Set<string>;
  apps: Set<string>;
  missing: Set<string>;
}

interface Parts {
  scheme: string;
  userInfo: string | undefined;
  port: string | undefined;
  path: string;
  open: string;
  close: string;
}

function hostOf(target: Target, found: Found): string {
  if (target.kind === 'app') {
    found.apps.add(target.key);
    return `\${app.${target.key}.internal}`;
  }
  found.databases.add(target.database.key);
  return `\${db.${target.database.key}.host}`;
}

function databaseAddress(database: KnownDatabase, parts: Parts, found: Found): string {
  const { key, engine } = database;
  found.databases.add(key);
  const { scheme, userInfo, open, close, port, path } = parts;
  const of = (attribute: string) => `\${db.${key}.${attribute}}`;
  const needsUser = scheme !== '' || userInfo !== undefined;
  const isJdbc = scheme.startsWith('jdbc:');
  const user = needsUser && !isJdbc ? `${of('user')}:${of('password')}@` : '';
  const at = port === undefined && scheme === '' ? of('host') : `${of('host')}:${of('port')}`;
  return `${scheme}${user}${open}${at}${close}${engine === 'redis' ? path : pathOf(database, path, found)}`;
}

/**
 * Replaces the database name in a URL with a reference. If the database has no name yet, it gets the name from the URL.
 * If its name differs, the name in the URL is reported as missing.
 */
function pathOf(database: KnownDatabase, path: string, found: Found): string {
  if (path.length < 2) return path;
  database.name ??= path.slice(1);
  if (path === `/${database.name}`) return `/\${db.${database.key}.name}`;
  found.missing.add(path.slice(1));
  return path;
}

function appAddress({ key, port: own }: Extract<Target, { kind: 'app' }>, parts: Parts, found: Found): string {
  found.apps.add(key);
  const { scheme, userInfo, open, close, port, path } = parts;
  const shown = port !== undefined && Number(port) === own ? `\${app.${key}.port}` : port;
  const user = userInfo === undefined ? '' : `${userInfo}@`;
  return `${scheme}${user}${open}\${app.${key}.internal}${shown === undefined ? '' : `:${shown}`}${close}${path}`;
}
