import { request } from 'node:http';

const DEADLINE_MS = 10_000;
const POLL_MS = 50;

function statusOf(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const clientRequest = request({ host: '127.0.0.1', port, headers: { host }, timeout: 2000 }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  clientRequest.on('timeout', () => clientRequest.destroy(new Error('no answer within 2 s')));
  clientRequest.on('error', reject);
  clientRequest.end();
  return promise;
}

/**
 * Requests the first page of a host through the proxy until it responds.
 * @throws Error with the last response if it does not succeed within ten seconds
 */
export async function answersThroughProxy(host: string, port: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await statusOf(host, port).catch((error: Error) => error.message);
    if (seen === 200) return;
    if (performance.now() > deadline) {
      const what = typeof seen === 'number' ? `answered ${seen}` : seen;
      throw new Error(`ask the proxy on port ${port} for ${host}: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
