import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the id of an HTTP request. If the client sends a short id with only plain characters, this id is used. The
 * logs of several systems can then be joined.
 */
export function requestId(inbound: string | string[] | undefined): string {
  return typeof inbound === 'string' && SANE.test(inbound) ? inbound : randomUUID();
}
