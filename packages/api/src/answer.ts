/**
 * Checks that a response comes from a Davit instance. Instead of the instance, a proxy or another server can send its
 * own page.
 */
import { PEM_TYPE } from './ca-file.ts';
import { DavitError } from './errors.ts';

/** HTTP status and headers of a response. */
export interface ReceivedAnswer {
  status: number;
  headers: { get(name: string): string | null };
  /** Absolute URL of the response. Empty or absent if the response was not sent over the network. */
  url?: string;
}

/** Names of response headers that only the daemon or the proxy of an instance sends. */
const OWN_HEADERS = ['davit-version', 'davit-proxy'];

/** Returns the media type of a response in lower case and without parameters, such as `application/json`. */
export function mediaTypeOf({ headers }: Pick<ReceivedAnswer, 'headers'>): string | undefined {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Returns the error for a response that is not from the API. If the daemon or the proxy of an instance sent plain text,
 * this text is the error message. Any other body is ignored, because it can be the web page of another proxy.
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

/** Returns whether the same request can succeed later. Only the HTTP status is checked. */
export function mayPass(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Returns the header `Retry-After` in seconds, or an empty object if the header is absent or contains a date. */
export function retryAfter(headers: ReceivedAnswer['headers']): { retryAfterS?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterS: seconds } : {};
}

/**
 * Parses the body of a successful response: JSON, plain text or a certificate in PEM format. Returns `undefined` if the
 * body is empty.
 * @throws DavitError unexpected_response for any other body
 */
export function bodyIn(answer: ReceivedAnswer, text: string): unknown {
  if (text === '') return undefined;
  const type = mediaTypeOf(answer);
  if (type === 'text/plain' || type === PEM_TYPE) return text;
  if (type !== 'application/json') throw unexpectedResponse(answer);
  try {
    return JSON.parse(text);
  } catch {
    // The error message of the JSON parser is not used, because it contains parts of the body.
    throw unexpectedResponse(answer);
  }
}
