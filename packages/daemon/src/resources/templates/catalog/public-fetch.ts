/**
 * Sends HTTP requests to hosts that a user chooses. Only public IP addresses are allowed, so that users cannot reach
 * services in the server's private network.
 */
import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { Readable } from 'node:stream';
import { DavitError } from '@davit/api';
import { type AddressRule, allowsHost, guardedLookup, quote, responseTo } from '@davit/service';
import type { FetchFunction } from './fetch-bounded.ts';

/** Returns a `fetch` function that connects only to allowed IP addresses and follows no redirects. */
export function publicFetch(isAllowed: AddressRule): FetchFunction {
  return async (text, { headers, signal }) => {
    const url = new URL(text);
    /*
     * Check the address here if the URL contains an IP address. In this case, there is no DNS lookup that could check
     * the address.
     */
    if (!allowsHost(url, isAllowed)) throw refusal(url.host);
    const ask = url.protocol === 'https:' ? askHttps : askHttp;
    const request = ask(url, {
      // Open a new connection for each request, because IP addresses are checked only when a connection is opened.
      ...{ agent: false as const, lookup: guardedLookup({ allows: isAllowed, refusal, unknown: refusal }) },
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal && { signal }),
    });
    const response = responseTo(request);
    request.end();
    return responseOf(await response);
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
  const message = `${quote(host)} cannot be resolved, or its address is private or belongs to this server. Check the address, or send the file itself.`;
  return new DavitError('invalid_input', message);
}
