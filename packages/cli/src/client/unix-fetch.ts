import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import type { Fetch } from '@davit/api';

/**
 * Returns a `fetch` function that sends HTTP requests through a Unix socket. It supports only the options that the API
 * client uses. Response bodies are streamed.
 */
export function unixFetch(socketPath: string): Fetch {
  return (url, { method, headers, body, signal }) => {
    const { pathname, search, host } = new URL(url);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = { ...headers, ...length, host };
    const to = { socketPath, path: pathname + search, method, headers: sent, ...(signal && { signal }) };
    // `Promise.withResolvers` is not used, because Node 20 does not have it.
    return new Promise((resolve, reject) => {
      const outgoing = request(to, (incoming) => resolve(responseOf(incoming)));
      outgoing.on('error', reject);
      // If the server switches to another protocol, Node emits only `close` and not `error`.
      outgoing.on('close', () => reject(new Error('The connection ended without an HTTP response.')));
      outgoing.end(body);
    });
  };
}

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  if (status !== 204 && status !== 304) {
    return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
  }
  incoming.resume();
  return new Response(null, { status, headers });
}
