import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the id of an HTTP request. Uses the id that the client sends if it is short and has only plain characters, so
 * that the logs of several systems can be joined.
 */
export function requestId(inbound: string | string[] | undefined): string {
  return typeof inbound === 'string' && SANE.test(inbound) ? inbound : randomUUID();
}
