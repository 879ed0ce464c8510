/**
 * Orders missing TLS certificates and renews certificates before they expire. The orders run one after another. During
 * a renewal, HAProxy uses the old certificate.
 */
import type { Logger } from '@davit/service';
import type { Lego } from '../../adapters/lego/lego.ts';
import { acmeAccount, resumeAuthorities } from '../../db/tables/acme-account.ts';
import { deleteCertificate, deleteChallenges, listCertificates } from '../../db/tables/certificate.ts';
import {
  deleteCertificateName,
  forgetWaits,
  listCertificateNames,
  type NameRow,
  resumeNames,
  setCertificateName,
} from '../../db/tables/certificate-name.ts';
import { interruptOrders, ordersSince, pruneOrders } from '../../db/tables/certificate-order.ts';
import { accessOrPause } from './account.ts';
import type { AcmeAccess } from './acme/messages.ts';
import { AcmeSession } from './acme/session.ts';
import { authorityOf } from './authority.ts';
import type { CertificatesDeps } from './deps.ts';
import { orderCertificate, orderedByName } from './order.ts';
import { type Held, heldBack, LONGEST_WINDOW_MS } from './order-allowance.ts';
import { findUsedHosts } from './probe.ts';
import { orderShares } from './shares.ts';
import { LONGEST_WAIT_MS, renewsAt } from './times.ts';
import { possibleDefaultHosts, wantedNames } from './wanted.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Period in milliseconds over which Davit counts the certificate orders of each project. The rate limit of a
 * certificate authority has the same period.
 */
const SHARED_WINDOW_MS = 3 * HOUR_MS;

/** Host name that needs a certificate now or later. */
interface Due {
  name: string;
  /** Earliest time at which Davit requests the certificate, in milliseconds since the epoch. */
  at: number;
  /** Whether Davit already has an ordered certificate for the host name, from any certificate authority. */
  isServed: boolean;
  /**
   * Whether the certificate authority in the settings issued the current certificate of the host name. If so, the next
   * order is a renewal.
   */
  renewal: boolean;
  /** Number of recent certificate orders of the project to which the host name belongs. */
  orders: number;
}

/**
 * Creates ACME sessions for requests to a certificate authority. If the authority and the account are unchanged, the
 * previous session is used again.
 */
class Conversation implements AsyncDisposable {
  #with = '';
  #session: AcmeSession | null = null;

  async with(access: AcmeAccess): Promise<AcmeSession> {
    // Compare the accounts without their URLs, because a new account has no URL at the start of the session.
    const wanted = JSON.stringify({ ...access, accountUrl: null });
    if (this.#session === null || this.#with !== wanted) {
      await this[Symbol.asyncDispose]();
      this.#session = new AcmeSession(access);
      this.#with = wanted;
    }
    return this.#session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.[Symbol.asyncDispose]();
    this.#session = null;
  }
}

export class CertificateReconciler {
  readonly #base: CertificatesDeps;
  readonly #lego: Lego | null;
  readonly #log: Logger;
  #isTakenUp = false;
  /** Time of the last DNS check of each host name that Davit generated for an app, in milliseconds since the epoch. */
  readonly #lookedUp = new Map<string, number>();

  constructor(base: CertificatesDeps, lego: Lego | null, log: Logger) {
    this.#base = base;
    this.#lego = lego;
    this.#log = log;
  }

  /**
   * Orders all certificates that are missing or must be renewed now.
   * @returns milliseconds until the next certificate order, or `undefined` if no order is necessary
   */
  async run(signal: AbortSignal): Promise<number | undefined> {
    await this.#takeUp();
    this.#tidy();
    if (this.#base.settings().acme.email === null) return undefined;
    await findUsedHosts(this.#base, this.#lookedUp, signal);
    return this.#orderDue(signal);
  }

  async #orderDue(signal: AbortSignal): Promise<number | undefined> {
    const base = this.#base;
    await using authority = new Conversation();
    for (;;) {
      signal.throwIfAborted();
      // Read the settings before each order, so that a changed setting applies to the next order.
      const next = nextDue(base);
      const { email } = base.settings().acme;
      if (next === undefined || email === null) return undefined;
      if (next.at > base.now()) return next.at - base.now();
      const access = accessOrPause(base, email);
      if (access === null) continue;
      const session = await authority.with(access);
      await orderCertificate({ base, session, lego: this.#lego, access, log: this.#log }, next.name, signal);
    }
  }

  /**
   * After a restart of the daemon, marks all running certificate orders as interrupted. Davit then repeats these
   * orders, because their state at the authority is unknown.
   */
  async #takeUp(): Promise<void> {
    if (this.#isTakenUp) return;
    this.#isTakenUp = true;
    await this.#lego?.tidy();
    this.#base.store.tx((tx) => {
      interruptOrders(tx, this.#base.now());
      resumeNames(tx);
      deleteChallenges(tx);
    });
  }

  /**
   * Deletes old certificate orders, and data about host names that Davit no longer uses. Also deletes expired
   * certificates that no host uses.
   */
  #tidy(): void {
    const { store, now } = this.#base;
    const wanted = new Set(wantedNames(this.#base));
    const at = now();
    const old = listCertificates(store).filter(
      ({ kind, hosts, not_after }) =>
        kind === 'acme' && not_after < at && !(JSON.parse(hosts) as string[]).some((host) => wanted.has(host)),
    );
    const hosts = new Set(possibleDefaultHosts(this.#base));
    const isUseful = ({ name, asked_at }: NameRow) => wanted.has(name) || (asked_at !== null && hosts.has(name));
    const idle = listCertificateNames(store).filter((row) => !isUseful(row));
    store.tx((tx) => {
      pruneOrders(tx, at - LONGEST_WINDOW_MS);
      forgetWaits(tx, at + LONGEST_WAIT_MS);
      resumeAuthorities(tx, at + LONGEST_WAIT_MS);
      for (const { id } of old) deleteCertificate(tx, id);
      for (const { name } of idle) deleteCertificateName(tx, name);
    });
  }
}

/**
 * Returns the host names that need a certificate. The host names of projects with few recent orders come first.
 * Otherwise, one project could use up the rate limits of the certificate authority.
 */
export function dueNames(base: CertificatesDeps): Due[] {
  const { directory } = base.settings().acme;
  const ordersOf = orderShares(base, ordersSince(base.store, directory, base.now() - SHARED_WINDOW_MS));
  const paused = acmeAccount(base.store, directory)?.paused_until ?? 0;
  const rows = new Map(listCertificateNames(base.store).map((row) => [row.name, row]));
  const ordered = orderedByName(base);
  const now = base.now();
  const due = wantedNames(base).map((name): Due => {
    const row = rows.get(name);
    const had = ordered.get(name);
    /*
     * If the settings contain another certificate authority now, order a new certificate. Until then, HAProxy uses the
     * old certificate.
     */
    const isCurrent = had !== undefined && had.directory === directory && row?.renew !== 1;
    const from = isCurrent ? Math.max(renewsAt(had), Math.min(had.updated_at, now) + leastGapMs(had)) : 0;
    const at = Math.max(from, row?.next_try_at ?? 0, paused);
    return { name, at, isServed: had !== undefined, renewal: had?.directory === directory, orders: ordersOf(name) };
  });
  // If two projects have the same number of recent orders, host names without a certificate come before renewals.
  return due.toSorted(
    (a, b) =>
      Math.max(a.at, now) - Math.max(b.at, now) ||
      a.orders - b.orders ||
      Number(a.isServed) - Number(b.isServed) ||
      a.at - b.at ||
      (a.name < b.name ? -1 : 1),
  );
}

/**
 * Returns the minimum time in milliseconds between two certificate orders for a host name. Without this minimum, Davit
 * could renew a certificate with a short lifetime again and again.
 */
function leastGapMs({ not_before, not_after }: { not_before: number; not_after: number }): number {
  return Math.min(HOUR_MS, Math.max(MINUTE_MS, (not_after - not_before) / 3));
}

/**
 * Returns the next host name that needs a certificate, with the earliest time of the order. If the order would exceed a
 * rate limit, the function postpones the host name and selects another one.
 */
function nextDue(base: CertificatesDeps): Due | undefined {
  const { directory } = base.settings().acme;
  const at = base.now();
  const held = heldBack(authorityOf(directory), ordersSince(base.store, directory, at - LONGEST_WINDOW_MS), at);
  const putOff: (Due & Held)[] = [];
  let next: Due | undefined;
  for (const due of dueNames(base)) {
    const hold = due.at > at ? null : held(due);
    if (hold === null) {
      next = due;
      break;
    }
    putOff.push({ ...due, ...hold, at: hold.until });
  }
  if (putOff.length > 0) {
    /*
     * Save all postponed host names in one transaction, because thousands of host names can be postponed at the same
     * time.
     */
    base.store.tx((tx) => {
      for (const { name, reason, until } of putOff) {
        const problem = { problem: reason, problem_code: 'authority_limit' } as const;
        setCertificateName(tx, name, { status: 'waiting', ...problem, next_try_at: until });
      }
    });
  }
  return [...(next === undefined ? [] : [next]), ...putOff].toSorted((a, b) => a.at - b.at)[0];
}
