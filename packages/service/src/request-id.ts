import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the id of an HTTP request. A short and plain id that the client sends is used, so that logs of several
 * systems can be joined.
 */
export function requestId(inbound: string | string[] | undefined): string {
  return typeof inbound === 'string' && SANE.test(inbound) ? inbound : randomUUID();
}
