import { request } from 'node:http';

export interface Answer {
  status: number;
  text: string;
}

/**
 * Timeout in milliseconds. A request that waits for a deployment uses one connection, and no deployment of the example
 * takes longer.
 */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Sends a request to the instance over its socket in the data directory. Such requests act as the local operator.
 * @param body sent as JSON if given
 */
export function sendRequest(
  socketPath: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const clientRequest = request({ socketPath, method, path, headers, timeout: TIMEOUT_MS }, async (response) => {
    try {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve({ status: response.statusCode ?? 0, text });
    } catch (error) {
      reject(error);
    }
  });
  clientRequest.on('timeout', () => clientRequest.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
  clientRequest.on('error', (cause) =>
    reject(new Error(`ask the instance at ${socketPath}: ${cause.message}`, { cause })),
  );
  clientRequest.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
