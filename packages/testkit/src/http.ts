import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './contract.ts';

export interface Sending {
  method?: string;
  /** Path and query of the HTTP request. The path and the query are sent without normalization. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** Whether the request body is sent in chunks (`Transfer-Encoding: chunked`). */
  chunked?: boolean;
  signal?: AbortSignal;
}

/** Server that receives the HTTP requests. The server has a URL or a Unix socket file. */
export type Target = { url: string } | { socketPath: string };

/** Returns the options that Node's `http.request` needs to connect to a URL or a Unix socket file. */
export function connectionTo(target: Target): { host: string; port: string } | { socketPath: string } {
  if ('socketPath' in target) return target;
  const { hostname, port } = new URL(target.url);
  return { host: hostname, port };
}

/**
 * Sends an HTTP request with exactly this path. Without `agent`, a new connection is used. For an event stream, no text
 * is returned. Use `readEvents` instead.
 */
export function send(target: Target, sending: Sending, agent: Agent | false = false): Promise<Answer> {
  const { method = 'GET', path, headers = {}, body, chunked, signal } = sending;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request(
    { ...connectionTo(target), method, path, agent, headers: { ...length, ...headers }, ...(signal && { signal }) },
    (incoming) => {
      const answer = { method, path, status: incoming.statusCode ?? 0, headers: headersOf(incoming.headers) };
      if (method === 'GET' && incoming.headers['content-type'] === 'text/event-stream') {
        resolve({ ...answer, text: '' });
        outgoing.destroy();
        return;
      }
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ ...answer, text: Buffer.concat(pieces).toString() });
      });
    },
  );
  outgoing.on('error', reject);
  if (chunked) outgoing.flushHeaders();
  outgoing.end(body);
  return promise;
}

/**
 * Returns the session cookie of a response as the value of a `Cookie` header. Returns an empty string if the response
 * has no session cookie.
 */
export function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/**
 * Sends bytes on a new TCP connection. Returns all text that the server sends until the server closes the connection.
 */
export function sendBytes(url: string, bytes: string | Uint8Array): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(url);
  let received = '';
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.on('close', () => resolve(received));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
  });
  return promise;
}

function headersOf(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}
