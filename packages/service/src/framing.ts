import type { IncomingMessage } from 'node:http';
import type { RawStatus } from './raw-answer.ts';

export const MAX_HEADERS = 100;

/**
 * Checks the number of headers and the `Host` header of an HTTP request. Returns 200 if the headers are valid.
 * Otherwise, returns the status of the error response, 400 or 431.
 */
export function framing({ rawHeaders: raw, httpVersion }: IncomingMessage): RawStatus | 200 {
  if (raw.length > 2 * MAX_HEADERS) return 431;
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? 200 : 400;
}
