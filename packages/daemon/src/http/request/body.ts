import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DavitError } from '@davit/api';
import { ClientGone, readBody as read } from '@davit/service';

export { ClientGone };

const JSON_TYPE = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?$/i;

/** Returns whether a request has a body, according to its headers. */
export function announcesBody({
  'transfer-encoding': encoding,
  'content-length': length,
}: IncomingHttpHeaders): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Requires the `Content-Type` `application/json`. Otherwise, a page of another site could send a request without a CORS
 * preflight.
 * @throws DavitError unsupported_media_type
 */
export function demandJson(method: string, headers: IncomingHttpHeaders): void {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  const sent = announcesBody(headers);
  const reads = method === 'GET' || method === 'HEAD';
  // The `Content-Type` is checked even without a body, because a page of another site can submit an empty form.
  if (!sent && (reads || type === undefined)) return;
  if (type === undefined || !JSON_TYPE.test(type.trim())) throw new DavitError('unsupported_media_type');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DavitError(
      'unsupported_media_type',
      'The body is compressed, which this endpoint does not support. Send it without “Content-Encoding”.',
    );
  }
}

/**
 * Reads the body of a request. The body must not have more than `limit` bytes.
 * @throws DavitError payload_too_large
 * @throws ClientGone if the client disconnects
 */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  return read(incoming, limit, tooLarge);
}

function tooLarge(limit: number): DavitError {
  return new DavitError('payload_too_large', `The body is larger than ${limit / 1024} KiB. Send a smaller body.`);
}
