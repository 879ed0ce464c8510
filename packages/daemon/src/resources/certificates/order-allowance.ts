/**
 * Calculates how much of the rate limits of an ACME certificate authority is used. It counts the certificate orders in
 * the database. All functions in this file are pure.
 */
import type { AuthorityLimit, LimitKind } from '@davit/api';
import { timestamp } from '@davit/api';
import type { OrderCount } from '../../db/tables/certificate-order.ts';
import { type KnownAuthority, type LimitRule, registeredDomain } from './authority.ts';

/**
 * Longest period of all rate limits of certificate authorities, in milliseconds. Certificate requests that are older
 * than this period do not count for any rate limit.
 */
export const LONGEST_WINDOW_MS = 7 * 24 * 3_600_000;

/**
 * Describes how long a certificate request must wait because a rate limit is reached. `until` is the end of the wait,
 * and `reason` is a message for users.
 */
export interface Held {
  until: number;
  reason: string;
}

/**
 * Map from a kind of rate limit to a function. The function returns whether a certificate request counts for this
 * limit. An interrupted request counts, because the certificate authority may have issued the certificate.
 */
const COUNTS: Record<LimitKind, (order: OrderCount) => boolean> = {
  orders: ({ outcome }) => outcome !== 'unreached',
  // Let's Encrypt limits the number of certificates per domain. This limit does not include renewals.
  certificates_per_domain: ({ outcome, renewal }) => renewal === 0 && mayBeIssued(outcome),
  duplicates: ({ outcome }) => mayBeIssued(outcome),
  failed_validations: ({ outcome }) => outcome === 'invalid',
};

function mayBeIssued(outcome: string): boolean {
  return outcome === 'issued' || outcome === 'running' || outcome === 'interrupted';
}

const SUBJECT: Record<LimitKind, (order: Pick<OrderCount, 'name'>) => string | null> = {
  orders: () => null,
  certificates_per_domain: ({ name }) => registeredDomain(name),
  duplicates: ({ name }) => name,
  failed_validations: ({ name }) => name,
};

/**
 * Creates a check for new certificate requests. The check gets a host name and returns the rate limit that the request
 * would exceed. It returns `null` if the request is allowed.
 * @param orders past certificate requests to this certificate authority, oldest first, for at least {@link
 * LONGEST_WINDOW_MS}
 * @returns the check
 */
export function heldBack(
  authority: KnownAuthority,
  orders: readonly OrderCount[],
  now: number,
): (asked: { name: string; renewal: boolean }) => Held | null {
  const rules = authority.limits.map((rule) => ({
    rule,
    counted: Map.groupBy(inWindow(rule, orders, now), SUBJECT[rule.limit]),
  }));
  return (request) => {
    const held = rules.flatMap(({ rule, counted }): Held[] => {
      if (rule.limit === 'certificates_per_domain' && request.renewal) return [];
      const subject = SUBJECT[rule.limit](request);
      const frees = counted.get(subject)?.at(-rule.most);
      if (frees === undefined) return [];
      const until = frees.started_at + rule.windowMs;
      return [
        {
          until,
          reason: `${sentenceOf(rule, authority, subject)} Davit requests the certificate again at ${timestamp(until)}.`,
        },
      ];
    });
    return held.toSorted((a, b) => b.until - a.until)[0] ?? null;
  };
}

/**
 * Returns the rate limits of a certificate authority, and how much of each limit Davit has used. One limit is for
 * repeated certificates of the same host name. This limit is returned only for host names with at least two requests.
 */
export function limitsInUse(authority: KnownAuthority, orders: readonly OrderCount[], now: number): AuthorityLimit[] {
  return authority.limits.flatMap((rule) => {
    const bySubject = Map.groupBy(inWindow(rule, orders, now), SUBJECT[rule.limit]);
    if (rule.limit === 'orders' && bySubject.size === 0) bySubject.set(null, []);
    return [...bySubject]
      .filter(([, counted]) => rule.limit !== 'duplicates' || counted.length > 1)
      .map(([subject, counted]) => presentUse(rule, subject, counted))
      .toSorted((a, b) => b.used - a.used);
  });
}

function presentUse(
  { limit, most, windowMs }: LimitRule,
  subject: string | null,
  counted: OrderCount[],
): AuthorityLimit {
  const [oldest] = counted;
  const frees = oldest === undefined ? null : timestamp(oldest.started_at + windowMs);
  return { limit, subject, used: counted.length, most, window_s: windowMs / 1_000, frees_at: frees };
}

/**
 * Returns the certificate orders that count for a rate limit in its current period. Orders with a future time are
 * ignored: Davit recorded them while the system clock was wrong, and they would block new orders for too long.
 */
function inWindow({ limit, windowMs }: LimitRule, orders: readonly OrderCount[], now: number): OrderCount[] {
  const isInside = ({ started_at: at }: OrderCount) => at > now - windowMs && at <= now;
  return orders.filter((order) => isInside(order) && COUNTS[limit](order));
}

function sentenceOf({ limit, most }: LimitRule, { name }: KnownAuthority, subject: string | null): string {
  const what: Record<LimitKind, string> = {
    orders: `The limit of ${name} is reached: ${most} certificate requests in three hours.`,
    certificates_per_domain: `The limit of ${name} is reached: ${most} certificates a week for ${subject}.`,
    duplicates: `The limit of ${name} is reached: ${most} identical certificates a week for ${subject}.`,
    failed_validations: `The limit of ${name} is reached: ${most} failed validations an hour for ${subject}.`,
  };
  return what[limit];
}
