/**
 * Where the instance's own registry tells of what was pushed. It tells one thing after the other and the same again until
 * it is taken: whatever comes with the right secret is taken, so that nothing ever stands in the way of what follows.
 */
import { DavitError } from '@davit/api';
import { countOf } from '../../auth/facts.ts';
import { equalSecrets } from '../../auth/secrets.ts';
import { ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';
import { announcesBody, readBody } from '../request/body.ts';

/** What is larger is taken without being read: then every tag is looked at. */
const MOST_BYTES = 8 * 1024 * 1024;

export function registryHookEndpoint(core: HttpDeps): Endpoint {
  return absentEndpoint('POST /hooks/registry', { access: 'open', raw: true }, async ({ exchange }) => {
    demandSecret(exchange, core.registryKeys.hookSecret());
    const text = await read(exchange);
    // After the answer: the registry waits for it with everything else that it has to tell.
    setImmediate(() => (text === null ? core.pushes.missed() : core.pushes.told(text)));
    return ok('taken\n');
  });
}

/** The registry is on this machine: what comes through the proxy is somebody else. @throws DavitError unauthorized */
function demandSecret(exchange: Exchange, secret: string): void {
  const { authorization = '', 'x-forwarded-for': forwarded } = exchange.headers;
  const given = /^bearer +(\S{1,256}) *$/i.exec(authorization)?.[1] ?? '';
  const isDirect = forwarded === undefined && countOf(exchange, 'authorization') === 1;
  if (equalSecrets(given, secret) && isDirect) return;
  throw new DavitError('unauthorized', 'This is for the registry of this instance alone.');
}

/** Null for one that is too large. */
async function read({ incoming, headers }: Exchange): Promise<string | null> {
  if (!announcesBody(headers)) return '';
  try {
    return (await readBody(incoming, MOST_BYTES)).toString();
  } catch (error) {
    if (error instanceof DavitError && error.code === 'payload_too_large') return null;
    throw error;
  }
}
