/**
 * Endpoint for notifications of the instance's registry about image pushes. The registry sends one notification at a
 * time and repeats it until it gets a success response. So every notification with the correct secret gets a success
 * response, because a failed one would block all later ones.
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
 * Maximum size of a notification in bytes. A larger notification gets a success response, but its content is ignored.
 * Instead, the daemon checks all tags in the registry for new images.
 */
const MOST_BYTES = 8 * 1024 * 1024;

export function registryHookEndpoint(core: HttpDeps): Endpoint {
  return absentEndpoint('POST /hooks/registry', { access: 'open', raw: true }, async ({ exchange }) => {
    demandSecret(exchange, core.registryKeys.hookSecret());
    const text = await read(exchange);
    // Davit responds first and works later, because the registry continues only after it has the response.
    setImmediate(() => (text === null ? core.pushes.missed() : core.pushes.told(text)));
    return ok('taken\n');
  });
}

/**
 * Checks that the request contains the secret of the registry. Rejects requests that came through the proxy, because
 * the registry runs on the same server and sends its requests directly.
 * @throws DavitError unauthorized
 */
function demandSecret(exchange: Exchange, secret: string): void {
  const { authorization = '', 'x-forwarded-for': forwarded } = exchange.headers;
  const given = /^bearer +(\S{1,256}) *$/i.exec(authorization)?.[1] ?? '';
  const isDirect = forwarded === undefined && countOf(exchange, 'authorization') === 1;
  if (equalSecrets(given, secret) && isDirect) return;
  throw new DavitError('unauthorized', 'Only the registry of this instance can use this endpoint.');
}

/** Returns the request body, or `null` if it is too large. */
async function read({ incoming, headers }: Exchange): Promise<string | null> {
  if (!announcesBody(headers)) return '';
  try {
    return (await readBody(incoming, MOST_BYTES)).toString();
  } catch (error) {
    if (error instanceof DavitError && error.code === 'payload_too_large') return null;
    throw error;
  }
}
