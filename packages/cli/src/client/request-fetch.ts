import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import type { Fetch } from '@davit/api';

/** The function `request` of `node:http` or `node:https`. */
export type SendRequest = (options: RequestOptions, onResponse: (incoming: IncomingMessage) => void) => ClientRequest;

/** A `fetch` function that also sends a stream as the body. */
export type StreamingFetch = (
  url: string,
  init: Omit<Parameters<Fetch>[1], 'body'> & { body?: string | Readable },
) => Promise<Response>;

/** HTTP statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Returns a `fetch` function that sends requests with `node:http` or `node:https`, for connections that the global
 * `fetch` does not support. The function supports only the options that the API client uses. It follows no redirects
 * and streams response bodies.
 * @param to path of a Unix socket, or an agent that makes the connections
 */
export function requestFetch(send: SendRequest, to: Pick<RequestOptions, 'socketPath' | 'agent'>): StreamingFetch {
  return (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const sent = { ...headers, ...length, host: url.host };
    const options = { ...urlToHttpOptions(url), ...to, method, headers: sent, ...(signal && { signal }) };
    const shownUrl = typeof to.socketPath === 'string' ? '' : address;
    // `Promise.withResolvers` is not used, because it does not exist in Node 20.
    return new Promise((resolve, reject) => {
      const outgoing = send(options, (incoming) => {
        try {
          resolve(responseOf(incoming, shownUrl));
        } catch (error) {
          // A proxy can send a status that `Response` does not accept, such as 600.
          incoming.destroy();
          reject(error);
        }
      });
      outgoing.on('error', reject);
      // If the server switches to another protocol, Node emits only the event `close`, and no event `error`.
      outgoing.on('close', () => reject(new Error('The connection ended without an HTTP response.')));
      if (body instanceof Readable) pipeline(body, outgoing).catch(reject);
      else outgoing.end(body);
    });
  };
}

/** @param url URL for error messages and help links. Empty if the response came through a Unix socket */
function responseOf(incoming: IncomingMessage, url: string): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const hasBody = !WITHOUT_BODY.includes(status);
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
}
