/** Checks that a response comes from an instance. A proxy or another server can send a page of its own instead. */
import { PEM_TYPE } from './ca-file.ts';
import { DavitError } from './errors.ts';

/** HTTP status and headers of a response. */
export interface ReceivedAnswer {
  status: number;
  headers: { get(name: string): string | null };
  /** Absolute URL of the response. Empty or absent if the response did not come over the network. */
  url?: string;
}

/** Response headers of the daemon and of the proxy of an instance. */
const OWN_HEADERS = ['davit-version', 'davit-proxy'];

/** Returns the media type of a response in lower case and without parameters, such as `application/json`. */
export function mediaTypeOf({ headers }: Pick<ReceivedAnswer, 'headers'>): string | undefined {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Returns the error for a response that is not from the API. The message does not contain the body, which can be the
 * web page of a proxy. The only exceptions are texts from an instance: the daemon sends one for a request whose headers
 * it cannot read, and the proxy of the instance sends one while the daemon does not respond.
 */
export function unexpectedResponse(answer: ReceivedAnswer, text = ''): DavitError {
  const { status, headers, url = '' } = answer;
  const from = url === '' ? '' : ` from ${new URL(url).origin}`;
  const isOwn = OWN_HEADERS.some((name) => headers.get(name) !== null) && mediaTypeOf(answer) === 'text/plain';
  const message = `The response${from} (HTTP ${status}) does not come from a Davit instance. Check the address and the proxies in front of the instance.`;
  return new DavitError('unexpected_response', (isOwn && text.trim()) || message, {
    ...retryAfter(headers),
    ...{ status, retryable: mayPass(status), requestId: headers.get('x-request-id') ?? undefined },
  });
}

/** Returns whether the same request can succeed later, judging only by the HTTP status. */
export function mayPass(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Returns the header `Retry-After` in seconds, or an empty object if the header is absent or contains a date. */
export function retryAfter(headers: ReceivedAnswer['headers']): { retryAfterS?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterS: seconds } : {};
}

/**
 * Parses the body of a successful response: JSON, plain text, a certificate in PEM format, or `undefined` if the body is empty.
 * @throws DavitError unexpected_response for every other body
 */
export function bodyIn(answer: ReceivedAnswer, text: string): unknown {
  if (text === '') return undefined;
  const type = mediaTypeOf(answer);
  if (type === 'text/plain' || type === PEM_TYPE) return text;
  if (type !== 'application/json') throw unexpectedResponse(answer);
  try {
    return JSON.parse(text);
  } catch {
    // The message of the JSON parser is not used, because it quotes the body.
    throw unexpectedResponse(answer);
  }
}
