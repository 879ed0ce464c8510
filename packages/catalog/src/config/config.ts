import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigInvalid, defaultDataDir, LOG_LEVELS, type LogLevel, nameOf, parseListen, quote } from '@davit/service';
import { parseOwners, parseTokenUrl, parseTopics, parseUrl, type VerifiedOwner } from './parse.ts';
import { type RawSettings, SETTINGS, type SettingName } from './settings.ts';

/** Validated settings of the template catalog. */
export interface CatalogConfig {
  listen: { host: string; port: number };
  dataDir: string;
  /** Public URL of the catalog, without a trailing slash. */
  url: string;
  source: { kind: 'dir'; path: string } | { kind: 'github'; baseUrl: string; token: string | null };
  /**
   * GitHub topics that mark template repositories. The catalog lists only Git repositories with one of these topics.
   */
  topics: string[];
  /**
   * GitHub owners (at most two) whose templates are marked as verified. `id` is set if the operator configured
   * `owner:id`.
   */
  verifiedOwners: VerifiedOwner[];
  /** Seconds from the start of an indexing run to the start of the next run. Minimum: 300. */
  intervalS: number;
  /**
   * Whether this catalog process writes the template index. `false` if another process writes the index. Default:
   * `true`.
   */
  indexes?: boolean;
  logLevel: LogLevel;
}

/**
 * Properties of the process that determine default settings of the catalog: whether it runs as root, and the
 * environment variable `XDG_DATA_HOME`.
 */
export interface ProcessEnvironment {
  isRoot: boolean;
  xdgDataHome: string | undefined;
}

/**
 * Minimum interval between indexing runs, in seconds. API clients may assume that the index does not change within this
 * interval.
 */
const SHORTEST_INTERVAL_S = 300;
/** Maximum interval between indexing runs, in seconds: one day. */
const LONGEST_INTERVAL_S = 86_400;

/** Returns the folder of Git repositories that the catalog reads if no other template source is configured. */
export function examplesFolder(dataDir: string): string {
  return join(dataDir, 'examples');
}

/**
 * Creates the catalog configuration from the given settings and the defaults.
 * @throws ConfigInvalid with a line for every invalid setting
 */
export function makeConfig(raw: RawSettings, processEnvironment: ProcessEnvironment): CatalogConfig {
  const check = new Checks(raw);
  const listen = check.take('listen', parseListen, 'must be an address and a port, such as 127.0.0.1:3010');
  const dataDir = resolve(
    raw.dataDir ?? defaultDataDir('davit-catalog', processEnvironment.xdgDataHome, processEnvironment.isRoot),
  );
  const ownUrl = listen && `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
  const config: CatalogConfig = {
    listen: listen ?? { host: '', port: 0 },
    dataDir,
    url: raw.url === undefined ? (ownUrl ?? '') : (check.take('url', parseUrl, URL_RULE) ?? ''),
    source: sourceOf(check, dataDir),
    topics: check.take('topics', parseTopics, 'must be topics of lower-case letters, digits and hyphens') ?? [],
    verifiedOwners:
      raw.verifiedOwners === undefined
        ? []
        : (check.take(
            'verifiedOwners',
            parseOwners,
            'must be at most two owners, each as a name or as name:id with the numeric GitHub id',
          ) ?? []),
    intervalS: check.take('intervalS', parseInterval, INTERVAL_RULE) ?? 0,
    indexes: check.take('indexes', parseSwitch, 'must be 1 or 0') !== 'off',
    logLevel: check.take('logLevel', parseLevel, `must be one of ${LOG_LEVELS.join(', ')}`) ?? 'info',
  };
  check.done();
  return config;
}

const URL_RULE = 'must be an address such as https://templates.example.com';
const INTERVAL_RULE = `must be whole seconds from ${SHORTEST_INTERVAL_S} to ${LONGEST_INTERVAL_S}`;

class Checks {
  readonly raw: RawSettings;
  readonly #problems: string[] = [];

  constructor(raw: RawSettings) {
    this.raw = raw;
  }

  /**
   * Returns the parsed value of a setting. Returns the default if the setting is absent. If the value is invalid,
   * records a problem and returns `null`.
   */
  take<T>(name: SettingName, parse: (text: string) => T | null, rule: string): T | null {
    const text = this.raw[name] ?? SETTINGS[name].default;
    const value = parse(text);
    if (value === null) this.note(name, `${rule}, not “${quote(text)}”`);
    return value;
  }

  note(name: SettingName, problem: string): void {
    this.#problems.push(`${nameOf(name, SETTINGS[name])} ${problem}.`);
  }

  done(): void {
    if (this.#problems.length > 0) throw new ConfigInvalid(this.#problems.join('\n'));
  }
}

function sourceOf(check: Checks, dataDir: string): CatalogConfig['source'] {
  const baseUrl =
    check.take('githubUrl', parseTokenUrl, 'must be an HTTPS address such as https://api.github.com') ?? '';
  const token = tokenOf(check);
  const { source } = check.raw;
  if (source === undefined) return { kind: 'dir', path: examplesFolder(dataDir) };
  if (source === 'github') return { kind: 'github', baseUrl, token };
  const path = source.startsWith('dir:') ? source.slice('dir:'.length) : '';
  if (path === '') check.note('source', `must be dir:<path> or github, not “${quote(source)}”`);
  return { kind: 'dir', path: resolve(path) };
}

/**
 * Returns the GitHub token from the setting `githubToken`, or from the file in the setting `githubTokenFile`. Error
 * messages never contain the content of the file.
 */
function tokenOf(check: Checks): string | null {
  const { githubToken, githubTokenFile } = check.raw;
  if (githubTokenFile === undefined) return githubToken?.trim() || null;
  if (githubToken !== undefined) {
    check.note('githubTokenFile', `and ${SETTINGS.githubToken.env} are both set. Remove one of them`);
    return null;
  }
  try {
    const token = readFileSync(githubTokenFile, 'utf8').trim();
    if (/^\S+$/.test(token)) return token;
    check.note('githubTokenFile', `must name a file that contains only a token: ${githubTokenFile}`);
  } catch (error) {
    check.note('githubTokenFile', `cannot be read: ${(error as Error).message}`);
  }
  return null;
}

function parseInterval(text: string): number | null {
  const seconds = Number(text);
  return /^\d{1,9}$/.test(text) && seconds >= SHORTEST_INTERVAL_S && seconds <= LONGEST_INTERVAL_S ? seconds : null;
}

function parseSwitch(text: string): 'on' | 'off' | null {
  if (text === '1') return 'on';
  return text === '0' ? 'off' : null;
}

function parseLevel(text: string): LogLevel | null {
  return LOG_LEVELS.find((level) => level === text) ?? null;
}
