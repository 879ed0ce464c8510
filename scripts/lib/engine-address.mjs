import { request } from 'node:http';
import { StepFailure } from './steps.mjs';

export const DEFAULT_SOCKET = '/var/run/docker.sock';

/**
 * Returns the address of the engine as options of `node:http`.
 * @param {string | null | undefined} dockerHost address in the format of DOCKER_HOST; empty: the default socket
 * @throws {StepFailure} if the Engine API cannot be used over this kind of address
 */
export function engineAddress(dockerHost) {
  if (!dockerHost) return { socketPath: DEFAULT_SOCKET };
  const url = /^(unix|tcp|http):\/\/(.+)$/.exec(dockerHost);
  if (url?.[1] === 'unix') return { socketPath: url[2] };
  if (url) {
    const { hostname, port } = new URL(`http://${url[2]}`);
    return { host: hostname, port: Number(port || 2375) };
  }
  throw new StepFailure(
    `DOCKER_HOST is ${dockerHost}, which is neither unix:///a/socket nor tcp://host:port.`,
    'Set it to one of these, or unset it to use this machine’s own engine.',
  );
}

function get(address, path, timeoutMs) {
  return new Promise((resolve, reject) => {
    const clientRequest = request({ ...address, path, timeout: timeoutMs }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
      response.on('error', reject);
    });
    clientRequest.on('timeout', () =>
      clientRequest.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    );
    clientRequest.on('error', reject);
    clientRequest.end();
  });
}

/**
 * Requests the version of the engine.
 * @param {ReturnType<typeof engineAddress>} address
 * @returns {Promise<{ version: string, apiVersion: string } | { problem: string }>} `problem` is an error code such as
 * ENOENT, ECONNREFUSED, EACCES, ETIMEDOUT, or NOT_AN_ENGINE
 */
export async function fetchEngineVersion(address, timeoutMs = 2000) {
  try {
    const { status, body } = await get(address, '/version', timeoutMs);
    const { Version, ApiVersion } = status === 200 ? JSON.parse(body) : {};
    if (typeof ApiVersion !== 'string') return { problem: 'NOT_AN_ENGINE' };
    return { version: String(Version), apiVersion: ApiVersion };
  } catch (error) {
    return { problem: error.code ?? 'NOT_AN_ENGINE' };
  }
}

/** Returns the folder in which the engine stores images, or null if the engine does not report it. */
export async function engineRoot(address) {
  const { body } = await get(address, '/info', 5000).catch(() => ({ body: '{}' }));
  return JSON.parse(body).DockerRootDir ?? null;
}
