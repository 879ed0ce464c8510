/** Requests whose last byte is delayed, so that a test decides when their bodies are complete. */

import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

export interface HeldAnswer {
  status: number;
  text: string;
}

export interface Held {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Body with at least one byte. */
  body: string;
}

const RECEIVED = 'http.server.request.start';

/**
 * Sends a request without its last byte. Resolves when the daemon, which runs in this process, reads the body.
 * @returns a function that sends the last byte and returns the response
 */
export async function holdBody(
  { url }: Pick<TestDaemon, 'url'>,
  { method, path, headers, body }: Held,
): Promise<() => Promise<HeldAnswer>> {
  const bytes = Buffer.from(body);
  const id = randomUUID();
  const own = { 'content-type': 'application/json', 'content-length': bytes.length, 'x-request-id': id };
  const received = arrivalOf(id);
  const outgoing = request(new URL(path, url), { method, agent: false, headers: { ...own, ...headers } });
  const answered = once(outgoing, 'response').then(async ([incoming]: IncomingMessage[]) => ({
    status: incoming?.statusCode ?? 0,
    text: incoming === undefined ? '' : await text(incoming),
  }));
  outgoing.flushHeaders();
  outgoing.write(bytes.subarray(0, -1));
  const incoming = await Promise.race([received, answered.then(({ text }) => refused(text))]);
  await until('the daemon reads the body', async () => incoming.readableFlowing === true);
  return () => {
    outgoing.end(bytes.subarray(-1));
    return answered;
  };
}

/**
 * Returns the request object of the daemon.
 * @param id the `X-Request-Id` of the request
 */
export function arrivalOf(id: string): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.headers['x-request-id'] !== id) return;
    unsubscribe(RECEIVED, onStart);
    resolve(request);
  };
  subscribe(RECEIVED, onStart);
  return promise;
}

function refused(text: string): never {
  throw new Error(`the request was refused before its body was read: ${text}`);
}
