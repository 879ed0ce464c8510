/**
 * Configuration files that the registry container reads at its start. Pure: an unchanged setup results in identical
 * bytes.
 */
import { createHash } from 'node:crypto';
import type { RegistrySetup } from '../registry.ts';

/** Path inside the container of the folder with the configuration files. */
export const CONFIG_FOLDER = '/etc/davit-registry';
/** Path inside the container of the folder with all pushed data. */
export const STORAGE_FOLDER = '/var/lib/registry';
/**
 * Path of the configuration file. Every command of the registry program gets this path, because the default path
 * differs between 2.x and 3.x.
 */
export const CONFIG_FILE = `${CONFIG_FOLDER}/config.yml`;

const CERTIFICATE = 'certificate.pem';
/**
 * Time in seconds that running requests get when the registry stops. A client can continue an interrupted upload later.
 */
export const DRAIN_S = 10;

/** Contents of the configuration files by file name. */
export type ConfigFiles = Record<'config.yml' | typeof CERTIFICATE, string>;

/**
 * Renders the configuration files. The main file is JSON, which is valid YAML.
 * @param readOnly whether the registry rejects pushes
 */
export function renderConfig(setup: RegistrySetup, readOnly: boolean): ConfigFiles {
  const { port, realm, service, issuer, certificate } = setup;
  const config = {
    version: '0.1',
    log: { level: 'error', formatter: 'json', accesslog: { disabled: true } },
    storage: {
      filesystem: { rootdirectory: STORAGE_FOLDER },
      delete: { enabled: true },
      maintenance: {
        readonly: { enabled: readOnly },
        uploadpurging: { enabled: true, age: '168h', interval: '24h', dryrun: false },
      },
    },
    http: {
      addr: `127.0.0.1:${port}`,
      // Clients use several host names, and the proxy ends TLS, so the registry cannot build correct absolute URLs.
      relativeurls: true,
      secret: uploadSecret(setup),
      draintimeout: `${DRAIN_S}s`,
      headers: { 'X-Content-Type-Options': ['nosniff'] },
    },
    auth: { token: { realm, service, issuer, rootcertbundle: `${CONFIG_FOLDER}/${CERTIFICATE}` } },
    notifications: { events: { includereferences: false }, endpoints: [endpoint(setup)] },
  };
  return { 'config.yml': `${JSON.stringify(config, null, 2)}\n`, [CERTIFICATE]: certificate };
}

function endpoint({ hook }: RegistrySetup) {
  return {
    name: 'davit',
    url: hook.url,
    headers: { Authorization: [`Bearer ${hook.secret}`] },
    timeout: '5s',
    threshold: 5,
    backoff: '1s',
    // Layers and pulls would cause most of the notifications, and Davit does nothing with them.
    ignore: { mediatypes: ['application/octet-stream'], actions: ['pull'] },
  };
}

/**
 * Returns the key that signs the state of an upload. Because the key stays the same, an upload can continue in the next
 * container.
 */
function uploadSecret({ hook }: RegistrySetup): string {
  return createHash('sha256').update(`davit registry uploads\0${hook.secret}`).digest('hex');
}
