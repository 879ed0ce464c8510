import { type RawSettings as RawSettingsOf, readSettingsOf, type SettingsTable } from '@davit/service';

export { flagOf } from '@davit/service';

/**
 * All settings with their environment variable, flag, default and description. `docs/reference/config.md` is generated
 * from this table.
 */
export const SETTINGS = {
  listen: { env: 'DAVIT_LISTEN', default: '127.0.0.1:3000', help: 'Address and port of the API.' },
  httpPort: { env: 'DAVIT_HTTP_PORT', default: '80', help: 'Port on which the proxy serves the apps over HTTP.' },
  httpsPort: {
    env: 'DAVIT_HTTPS_PORT',
    default: '443',
    help: 'Port on which the proxy will serve the apps over HTTPS.',
  },
  registryPort: { env: 'DAVIT_REGISTRY_PORT', default: '5000', help: 'Port of the registry on the loopback address.' },
  dataDir: {
    env: 'DAVIT_DATA_DIR',
    default: '/var/lib/davit as root, else $XDG_DATA_HOME/davit',
    help: 'Everything that Davit keeps.',
  },
  domain: { env: 'DAVIT_DOMAIN', default: 'localhost', help: 'The instance’s own host; apps get hosts below it.' },
  engine: { env: 'DAVIT_ENGINE', default: 'auto', help: 'auto, docker or memory; fixed by the first start.' },
  dockerHost: {
    env: 'DOCKER_HOST',
    default: 'unix:///var/run/docker.sock',
    help: 'Where the container engine answers.',
  },
  networkPool: {
    env: 'DAVIT_NETWORK_POOL',
    default: '10.208.0.0/12',
    help: 'Private addresses from which each environment gets a /24.',
  },
  masterKeyFile: {
    env: 'DAVIT_MASTER_KEY_FILE',
    default: '<data dir>/master.key',
    help: 'The key under which secrets are sealed; keep a copy elsewhere.',
  },
  setupToken: {
    env: 'DAVIT_SETUP_TOKEN',
    default: 'made at the first start',
    help: 'What the first account is claimed with.',
  },
  adopt: {
    env: 'DAVIT_ADOPT',
    default: 'none',
    help: 'Takes an instance over from another data directory or engine. The value is the code that the refused start printed.',
  },
  demo: { env: 'DAVIT_DEMO', default: '1', help: '0: do not deploy the example at the first start.' },
  proxyImage: {
    env: 'DAVIT_PROXY_IMAGE',
    default: 'built from the distribution’s packages',
    help: 'An image of HAProxy ≥ 2.6.',
  },
  registryImage: {
    env: 'DAVIT_REGISTRY_IMAGE',
    default: 'built from the distribution’s packages',
    help: 'An image of the CNCF Distribution registry.',
  },
  aptSources: {
    env: 'DAVIT_APT_SOURCES',
    default: 'the host’s sources',
    help: 'Path of a sources.list file for the packages of platform images, for example to use a mirror.',
  },
  catalogUrl: {
    env: 'DAVIT_INSTANCE_CATALOG_URL',
    default: 'none',
    help: 'The template catalog that the instance lists.',
  },
  logLevel: { env: 'DAVIT_LOG_LEVEL', default: 'info', help: 'debug, info, warn or error.' },
} as const satisfies SettingsTable;

export type SettingName = keyof typeof SETTINGS;

/** Settings that a user set, as text. */
export type RawSettings = RawSettingsOf<typeof SETTINGS>;

/**
 * Reads the settings that a user set. Flags take precedence over the environment.
 * @throws TypeError for an unknown flag
 */
export function readRawSettings(env: NodeJS.ProcessEnv, args: string[]): RawSettings {
  return readSettingsOf(SETTINGS, env, args, 'docs/reference/config.md');
}
