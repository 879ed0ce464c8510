/**
 * Renders the configuration files of the registry container. Pure functions. The same setup always results in the same
 * files.
 */
import { createHash } from 'node:crypto';
import type { RegistrySetup } from '../registry.ts';

/** Path of the folder with the configuration files, inside the registry container. */
export const CONFIG_FOLDER = '/etc/davit-registry';
/** Path of the folder with all pushed data, inside the registry container. */
export const STORAGE_FOLDER = '/var/lib/registry';
/**
 * Path of the registry's configuration file inside the container. Each command of the registry program gets this path
 * as an argument, because versions 2.x and 3.x have different default paths.
 */
export const CONFIG_FILE = `${CONFIG_FOLDER}/config.yml`;

const CERTIFICATE = 'certificate.pem';
/**
 * Maximum time in seconds for open requests to end when the registry stops. Clients can continue an interrupted upload
 * later.
 */
export const DRAIN_S = 10;

export type ConfigFiles = Record<'config.yml' | typeof CERTIFICATE, string>;

/**
 * Renders the registry's configuration files. The file `config.yml` contains JSON, which is also valid YAML.
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
      // Relative URLs are used, because clients reach the registry under several host names.
      // The registry does not know whether clients use HTTPS, because the proxy terminates TLS.
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
    // Turns off notifications about pulls and layer uploads. They are frequent, and Davit does not need them.
    ignore: { mediatypes: ['application/octet-stream'], actions: ['pull'] },
  };
}

/**
 * Returns the secret with which the registry signs the state of an upload. The secret never changes, so that a client
 * can continue an upload after the registry container was replaced.
 */
function uploadSecret({ hook }: RegistrySetup): string {
  return createHash('sha256').update(`davit registry uploads\0${hook.secret}`).digest('hex');
}
