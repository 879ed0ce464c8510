import { type RawSettings as RawSettingsOf, readSettingsOf, type SettingsTable } from '@davit/service';

/**
 * All settings of the template catalog with their environment variables, flags, defaults and descriptions.
 * `docs/reference/catalog-config.md` is generated from this table.
 */
export const SETTINGS = {
  listen: {
    env: 'DAVIT_CATALOG_LISTEN',
    default: '127.0.0.1:3010',
    help: 'Address and port on which the catalog serves its pages and its API.',
  },
  dataDir: {
    env: 'DAVIT_CATALOG_DATA_DIR',
    default: '/var/lib/davit-catalog as root, else $XDG_DATA_HOME/davit-catalog',
    help: 'Data directory of the catalog.',
  },
  url: {
    env: 'DAVIT_CATALOG_URL',
    default: 'http://<listen>',
    help: 'Public address of the catalog. Links to icons begin with this address.',
  },
  source: {
    env: 'DAVIT_CATALOG_SOURCE',
    default: 'dir:<data dir>/examples',
    help: 'Source of the templates: `github`, or `dir:<path>` for a folder of bare Git repositories.',
  },
  topics: {
    env: 'DAVIT_CATALOG_TOPICS',
    default: 'davit-template,cubeship-template',
    help: 'Topics of the listed repositories, separated by commas.',
  },
  verifiedOwners: {
    env: 'DAVIT_CATALOG_VERIFIED_OWNERS',
    default: 'none',
    help: 'At most two owners whose templates get the badge “verified”, separated by a comma. Format: `owner`, or `owner:id` with the numeric GitHub id.',
  },
  intervalS: {
    env: 'DAVIT_CATALOG_INTERVAL_S',
    default: '300',
    help: 'Interval between indexing runs in seconds, at least 300.',
  },
  indexes: {
    env: 'DAVIT_CATALOG_INDEXES',
    default: '1',
    help: 'Whether the catalog runs an indexer: 1 or 0. With 0, it serves the existing index in the data directory.',
  },
  githubUrl: {
    env: 'DAVIT_CATALOG_GITHUB_URL',
    default: 'https://api.github.com',
    help: 'Address of the GitHub API.',
  },
  githubToken: {
    env: 'DAVIT_CATALOG_GITHUB_TOKEN',
    default: 'none',
    help: 'Token for GitHub. It needs no permissions.',
    secret: true,
  },
  githubTokenFile: {
    env: 'DAVIT_CATALOG_GITHUB_TOKEN_FILE',
    default: 'none',
    help: 'File that contains the token for GitHub, instead of the variable.',
  },
  logLevel: {
    env: 'DAVIT_CATALOG_LOG_LEVEL',
    default: 'info',
    help: 'Minimum level of the lines in the log: debug, info, warn or error.',
  },
} as const satisfies SettingsTable;

export type SettingName = keyof typeof SETTINGS;

/** Values of the settings that the user configured, as text. */
export type RawSettings = RawSettingsOf<typeof SETTINGS>;

/**
 * Reads the settings of the catalog from flags and environment variables. Flags override environment variables.
 * @throws TypeError for an unknown flag
 */
export function readSettings(env: NodeJS.ProcessEnv, args: string[]): RawSettings {
  return readSettingsOf(SETTINGS, env, args, 'docs/reference/catalog-config.md');
}
