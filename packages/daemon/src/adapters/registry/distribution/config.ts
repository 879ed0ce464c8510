/**
 * Pure functions that create the configuration files of the registry container. The same setup always gives the same
 * files.
 */
import { createHash } from 'node:crypto';
import { REGISTRY_ADDRESS, type RegistrySetup } from '../registry.ts';

/** Path of the folder with the configuration files, inside the registry container. */
export const CONFIG_FOLDER = '/etc/davit-registry';
/** Path of the folder with all pushed data, inside the registry container. */
export const STORAGE_FOLDER = '/var/lib/registry';
/**
 * Path of the registry's configuration file inside the registry container. Each command gets this path, because
 * versions 2.x and 3.x have different default paths.
 */
export const CONFIG_FILE = `${CONFIG_FOLDER}/config.yml`;

const CERTIFICATE = 'certificate.pem';
/**
 * Maximum time in seconds to finish open requests when the registry stops. If an upload is interrupted, the client must
 * upload the whole layer again.
 */
export const DRAIN_S = 10;

export type ConfigFiles = Record<'config.yml' | typeof CERTIFICATE, string>;

/**
 * Creates the registry's configuration files. `config.yml` contains JSON, which is also valid YAML.
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
      addr: `${REGISTRY_ADDRESS}:${port}`,
      /*
       * Relative URLs work under all host names. Relative URLs also work with HTTPS, although the registry receives
       * only HTTP requests from the proxy.
       */
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
    /*
     * Disables notifications about pulls and layer uploads. These notifications are frequent, and Davit does not need
     * them.
     */
    ignore: { mediatypes: ['application/octet-stream'], actions: ['pull'] },
  };
}

/**
 * Returns the secret with which the registry signs the state of uploads. The secret never changes, so uploads can
 * continue after the container is replaced.
 */
function uploadSecret({ hook }: RegistrySetup): string {
  return createHash('sha256').update(`davit registry uploads\0${hook.secret}`).digest('hex');
}
