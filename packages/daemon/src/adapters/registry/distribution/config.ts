/** What the registry's container reads at its start. Pure: the same setup is the same bytes. */
import { createHash } from 'node:crypto';
import type { RegistrySetup } from '../registry.ts';

/** Where the container sees the folder with these files … */
export const CONFIG_FOLDER = '/etc/davit-registry';
/** … and the one with everything that was pushed. */
export const STORAGE_FOLDER = '/var/lib/registry';
/** Given to every command of the registry's program: its usual place differs between 2.x and 3.x. */
export const CONFIG_FILE = `${CONFIG_FOLDER}/config.yml`;

const CERTIFICATE = 'certificate.pem';
/** For requests that run when it is told to end: an upload that is cut goes on where it was. */
export const DRAIN_S = 10;

/** Name to content, in the folder of the configuration. */
export type ConfigFiles = Record<'config.yml' | typeof CERTIFICATE, string>;

/**
 * The configuration as files; JSON, which is YAML.
 * @param readOnly takes no pushes
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
      // It is reached under several names, and through the proxy under TLS that it knows nothing of.
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
    // Layers and pulls would be most of what is told, and nothing follows from them.
    ignore: { mediatypes: ['application/octet-stream'], actions: ['pull'] },
  };
}

/** Signs where an upload stands: as long as it stays, an upload goes on with the next container. */
function uploadSecret({ hook }: RegistrySetup): string {
  return createHash('sha256').update(`davit registry uploads\0${hook.secret}`).digest('hex');
}
