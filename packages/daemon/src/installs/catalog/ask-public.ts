/**
 * Asks hosts that somebody names in a request: on the public internet alone, so that nobody has this machine look into its
 * own network for him.
 */
import { lookup } from 'node:dns';
import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { DavitError } from '@davit/api';
import { isPublicAddress, quote } from '@davit/service';
import type { Ask } from './fetch-bounded.ts';

/** @param isAllowed of an address, as a number */
export function askWhere(isAllowed: (address: string) => boolean): Ask {
  return async (text, { headers, signal }) => {
    const url = new URL(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // Nothing is looked up for what is an address already.
    if (isIP(host) !== 0 && !isAllowed(host)) throw refusal(url.host);
    const ask = url.protocol === 'https:' ? askHttps : askHttp;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = ask(url, {
      // A connection of its own: one that is kept open was not looked at.
      ...{ agent: false as const, lookup: lookupWhere(isAllowed) },
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal && { signal }),
    });
    request.on('response', resolve).on('error', reject).end();
    return responseOf(await promise);
  };
}

export const askPublic: Ask = askWhere(isPublicAddress);

/** Resolves a name for a socket when it is opened: what a name led to a moment ago says nothing about now. */
function lookupWhere(isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const allowed = found.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(host), '', 0);
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

function responseOf(message: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value));
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, {
    status: message.statusCode ?? 502,
    headers,
  });
}

function refusal(host: string): DavitError {
  const message = `${quote(host)} is not on the public internet, which is all that is asked here: send the file itself.`;
  return new DavitError('invalid_input', message);
}
