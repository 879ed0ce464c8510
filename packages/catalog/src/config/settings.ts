import { type RawSettings as RawSettingsOf, readSettingsOf, type SettingsTable } from '@davit/service';

/**
 * All settings, each with its environment variable, flag, default and description.
 * `docs/reference/catalog-config.md` is generated from this table.
 */
export const SETTINGS = {
  listen: {
    env: 'DAVIT_CATALOG_LISTEN',
    default: '127.0.0.1:3010',
    help: 'Address and port of the pages and of the API.',
  },
  dataDir: {
    env: 'DAVIT_CATALOG_DATA_DIR',
    default: '/var/lib/davit-catalog as root, else $XDG_DATA_HOME/davit-catalog',
    help: 'Everything that the catalog keeps.',
  },
  url: {
    env: 'DAVIT_CATALOG_URL',
    default: 'http://<listen>',
    help: 'The public address, under which the addresses of icons are given.',
  },
  source: {
    env: 'DAVIT_CATALOG_SOURCE',
    default: 'dir:<data dir>/examples',
    help: '`dir:<path>`, a folder of bare git repositories, or `github`.',
  },
  topics: {
    env: 'DAVIT_CATALOG_TOPICS',
    default: 'davit-template,cubeship-template',
    help: 'Topics by which repositories are listed, with commas between them.',
  },
  verifiedOwners: {
    env: 'DAVIT_CATALOG_VERIFIED_OWNERS',
    default: 'none',
    help: 'At most two owners that the catalog vouches for, as `owner` or `owner:id`, with a comma between them.',
  },
  intervalS: {
    env: 'DAVIT_CATALOG_INTERVAL_S',
    default: '300',
    help: 'Seconds from the beginning of a pass to that of the next, 300 or more.',
  },
  indexes: {
    env: 'DAVIT_CATALOG_INDEXES',
    default: '1',
    help: '0: nothing is read; the index in the data directory is served, and comes from elsewhere.',
  },
  githubUrl: {
    env: 'DAVIT_CATALOG_GITHUB_URL',
    default: 'https://api.github.com',
    help: 'Where GitHub’s API answers.',
  },
  githubToken: {
    env: 'DAVIT_CATALOG_GITHUB_TOKEN',
    default: 'none',
    help: 'A token for GitHub; it needs no rights.',
    secret: true,
  },
  githubTokenFile: {
    env: 'DAVIT_CATALOG_GITHUB_TOKEN_FILE',
    default: 'none',
    help: 'A file that holds the token, instead of the variable.',
  },
  logLevel: { env: 'DAVIT_CATALOG_LOG_LEVEL', default: 'info', help: 'debug, info, warn or error.' },
} as const satisfies SettingsTable;

export type SettingName = keyof typeof SETTINGS;

/** Explicitly configured settings as text. */
export type RawSettings = RawSettingsOf<typeof SETTINGS>;

/**
 * Reads the configured settings. Flags override environment variables.
 * @throws TypeError for an unknown flag
 */
export function readSettings(env: NodeJS.ProcessEnv, args: string[]): RawSettings {
  return readSettingsOf(SETTINGS, env, args, 'docs/reference/catalog-config.md');
}
