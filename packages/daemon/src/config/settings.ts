import { type RawSettings as RawSettingsOf, readSettingsOf, type SettingsTable } from '@davit/service';

export { flagOf } from '@davit/service';

/**
 * All settings of the daemon. The keys determine the names of the command line flags. The page
 * `docs/reference/config.md` is generated from this table.
 */
export const SETTINGS = {
  listen: { env: 'DAVIT_LISTEN', default: '127.0.0.1:3000', help: 'Address and port on which the API listens.' },
  httpPort: { env: 'DAVIT_HTTP_PORT', default: '80', help: 'Port of the proxy for HTTP.' },
  httpsPort: {
    env: 'DAVIT_HTTPS_PORT',
    default: '443',
    help: 'Port of the proxy for HTTPS.',
  },
  registryPort: {
    env: 'DAVIT_REGISTRY_PORT',
    default: '5000',
    help: 'Port of the registry on 127.0.0.1. The registry also uses this port of 127.0.0.2.',
  },
  dataDir: {
    env: 'DAVIT_DATA_DIR',
    default: '/var/lib/davit for root, $XDG_DATA_HOME/davit for other users',
    help: 'Data directory, with the database, keys, logs and backups.',
  },
  domain: {
    env: 'DAVIT_DOMAIN',
    default: 'localhost',
    help: 'Host name of the instance. Apps get subdomains of this host name.',
  },
  engine: {
    env: 'DAVIT_ENGINE',
    default: 'auto',
    help: 'Container engine: auto, docker or memory (simulated). The value cannot be changed after the first start.',
  },
  dockerHost: {
    env: 'DOCKER_HOST',
    default: 'unix:///var/run/docker.sock',
    help: 'Address of the Docker Engine.',
  },
  networkPool: {
    env: 'DAVIT_NETWORK_POOL',
    default: '10.208.0.0/12',
    help: 'Private network from which each environment gets a /24 network.',
  },
  masterKeyFile: {
    env: 'DAVIT_MASTER_KEY_FILE',
    default: '<data dir>/master.key',
    help: 'File with the key that encrypts all secrets. Keep a copy on another machine.',
  },
  setupToken: {
    env: 'DAVIT_SETUP_TOKEN',
    default: 'a random token that Davit creates at the first start',
    help: 'Token with which the first user is created.',
  },
  adopt: {
    env: 'DAVIT_ADOPT',
    default: 'none',
    help: 'Code that lets Davit start after you have moved the data directory or changed the Docker Engine. Without the code, Davit does not start, and an error message shows the code.',
  },
  demo: {
    env: 'DAVIT_DEMO',
    default: '1',
    help: 'Whether the first start deploys the example app: 1 (yes) or 0 (no).',
  },
  proxyImage: {
    env: 'DAVIT_PROXY_IMAGE',
    default: 'Davit builds the image from packages of the Linux distribution',
    help: 'Image of HAProxy 2.6 or later.',
  },
  registryImage: {
    env: 'DAVIT_REGISTRY_IMAGE',
    default: 'Davit builds the image from packages of the Linux distribution',
    help: 'Image of the registry program CNCF Distribution, version 2.8 or later.',
  },
  aptSources: {
    env: 'DAVIT_APT_SOURCES',
    default: 'the APT package sources of the server',
    help: 'Path of a sources.list file with APT package sources, for example of a mirror. Davit installs packages from these sources when it builds images.',
  },
  catalogUrl: {
    env: 'DAVIT_INSTANCE_CATALOG_URL',
    default: 'none',
    help: 'Address of the template catalog.',
  },
  logLevel: {
    env: 'DAVIT_LOG_LEVEL',
    default: 'info',
    help: 'Minimum level of log lines: debug, info, warn or error.',
  },
} as const satisfies SettingsTable;

export type SettingName = keyof typeof SETTINGS;

/**
 * Settings of the daemon as unparsed text from flags and environment variables. Only settings that the user has set are
 * included.
 */
export type RawSettings = RawSettingsOf<typeof SETTINGS>;

/**
 * Reads the daemon settings that the user has set. Command line flags override environment variables.
 * @throws TypeError for an unknown flag
 */
export function readRawSettings(env: NodeJS.ProcessEnv, args: string[]): RawSettings {
  return readSettingsOf(SETTINGS, env, args, 'docs/reference/config.md');
}
