/**
 * Calculates how much of each rate limit of a certificate authority is used. The calculation uses the certificate
 * orders in the database. All functions in this file are pure.
 */
import type { AuthorityLimit, LimitKind } from '@davit/api';
import { timestamp } from '@davit/api';
import type { OrderCount } from '../../db/tables/certificate-order.ts';
import { type KnownAuthority, type LimitRule, registeredDomain } from './authority.ts';

/**
 * Longest period of all rate limits of certificate authorities, in milliseconds. Certificate orders before this period
 * are irrelevant for all rate limits.
 */
export const LONGEST_WINDOW_MS = 7 * 24 * 3_600_000;

/**
 * Delay of a certificate request because of a rate limit. `until` is the end of the delay, and `reason` is a message
 * for users.
 */
export interface Held {
  until: number;
  reason: string;
}

/**
 * One function for each kind of rate limit. The function returns whether the authority includes a certificate order in
 * the rate limit.
 */
const COUNTS: Record<LimitKind, (order: OrderCount) => boolean> = {
  orders: ({ outcome }) => outcome !== 'unreached',
  // Let's Encrypt limits the number of new certificates per domain. The limit does not include renewals.
  certificates_per_domain: ({ outcome, renewal }) => renewal === 0 && mayBeIssued(outcome),
  duplicates: ({ outcome }) => mayBeIssued(outcome),
  failed_validations: ({ outcome }) => outcome === 'invalid',
};

function mayBeIssued(outcome: string): boolean {
  // Include interrupted orders, because the authority may have issued their certificates.
  return outcome === 'issued' || outcome === 'running' || outcome === 'interrupted';
}

const SUBJECT: Record<LimitKind, (order: Pick<OrderCount, 'name'>) => string | null> = {
  orders: () => null,
  certificates_per_domain: ({ name }) => registeredDomain(name),
  duplicates: ({ name }) => name,
  failed_validations: ({ name }) => name,
};

/**
 * Returns a function that takes a certificate request and returns the rate limit that the request would exceed.
 * @param orders all orders of at least the last {@link LONGEST_WINDOW_MS}, oldest first
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

/** Returns the rate limits of a certificate authority, and how much of each limit Davit has used. */
export function limitsInUse(authority: KnownAuthority, orders: readonly OrderCount[], now: number): AuthorityLimit[] {
  return authority.limits.flatMap((rule) => {
    const bySubject = Map.groupBy(inWindow(rule, orders, now), SUBJECT[rule.limit]);
    if (rule.limit === 'orders' && bySubject.size === 0) bySubject.set(null, []);
    /*
     * The rate limit `duplicates` is for repeated certificates of one host name. Include it only for host names with at
     * least two requests.
     */
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

/** Returns the certificate orders that a rate limit includes in its current period. */
function inWindow({ limit, windowMs }: LimitRule, orders: readonly OrderCount[], now: number): OrderCount[] {
  /*
   * If the system clock was wrong, an order can have a future time. Ignore such orders, because they would delay new
   * orders for too long.
   */
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
