import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/** The id of a request: the caller's when it is short and plain, so that logs of several systems can be joined. */
export function requestId(inbound: string | string[] | undefined): string {
  return typeof inbound === 'string' && SANE.test(inbound) ? inbound : randomUUID();
}
