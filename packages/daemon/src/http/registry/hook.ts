/**
 * Receives image push notifications from the registry. If the secret is correct, the response is never an error. An
 * error would block all later notifications.
 */
import { DavitError } from '@davit/api';
import { countOf } from '../../auth/facts.ts';
import { equalSecrets } from '../../auth/secrets.ts';
import { ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';
import { announcesBody, readBody } from '../request/body.ts';

/**
 * Maximum size of a notification in bytes. If a notification is larger, the daemon checks all tags in the registry for
 * new images instead.
 */
const MOST_BYTES = 8 * 1024 * 1024;

export function registryHookEndpoint(core: HttpDeps): Endpoint {
  return absentEndpoint('POST /hooks/registry', { access: 'open', raw: true }, async ({ exchange }) => {
    demandSecret(exchange, core.registryKeys.hookSecret());
    const text = await read(exchange);
    // Davit sends the response before it processes the notification, because the registry waits for the response.
    setImmediate(() => (text === null ? core.pushes.missed() : core.pushes.told(text)));
    return ok('taken\n');
  });
}

/**
 * Checks the secret of the registry. Rejects requests that came through the proxy, because the registry sends its
 * notifications directly.
 * @throws DavitError unauthorized
 */
function demandSecret(exchange: Exchange, secret: string): void {
  const { authorization = '', 'x-forwarded-for': forwarded } = exchange.headers;
  const given = /^bearer +(\S{1,256}) *$/i.exec(authorization)?.[1] ?? '';
  const isDirect = forwarded === undefined && countOf(exchange, 'authorization') === 1;
  if (equalSecrets(given, secret) && isDirect) return;
  throw new DavitError('unauthorized', 'Only the registry of this instance can use this endpoint.');
}

/** Returns the request body, or `null` if the body is too large. */
async function read({ incoming, headers }: Exchange): Promise<string | null> {
  if (!announcesBody(headers)) return '';
  try {
    return (await readBody(incoming, MOST_BYTES)).toString();
  } catch (error) {
    if (error instanceof DavitError && error.code === 'payload_too_large') return null;
    throw error;
  }
}
