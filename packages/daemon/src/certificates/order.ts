/** One certificate for one name, from the record of the order to what is served; and what stays when there is none. */
import type { Logger } from '@davit/service';
import { ProxyUnavailable } from '../proxy/proxy.ts';
import type { Base } from '../release/base.ts';
import { keyPlace } from '../release/certificates.ts';
import { routeTable } from '../release/routing.ts';
import { sentence } from '../release/sentence.ts';
import {
  type CertificateBrief,
  certificateById,
  deleteChallenges,
  insertChallenge,
  listCertificates,
  putCertificate,
} from '../store/certificate.ts';
import { certificateName, setCertificateName } from '../store/certificate-name.ts';
import { endOrder, insertOrder, type OrderOutcome } from '../store/certificate-order.ts';
import type { DnsProviderRow } from '../store/dns-provider.ts';
import { noteRegistered, pauseAuthority } from './account.ts';
import type { AcmeAccess } from './acme/messages.ts';
import { AcmeRefused, type AcmeSession, type Issued } from './acme/session.ts';
import { credentialsOf } from './credentials.ts';
import { type Lego, LegoFailed } from './lego/lego.ts';
import { PemRefused, type ReadCertificate, readCertificate } from './pem.ts';
import { backoffMs, LONGEST_WAIT_MS } from './times.ts';
import { providerFor } from './wanted.ts';

export interface OrderParts {
  base: Base;
  session: AcmeSession;
  /** Null: nothing can write records here. */
  lego: Lego | null;
  /** Who is asked, and as whom: of the settings as they were when the order began. */
  access: AcmeAccess;
  log: Logger;
}

/** How long the authority is left alone when it asked for that without saying for how long. */
const LIMITED_MS = 3_600_000;

/** What to do after an order that brought nothing. */
interface Refusal {
  outcome: OrderOutcome;
  problem: string;
  /** Of the name alone, or of everything that is asked of the authority. */
  concerns: 'name' | 'authority';
  /** It asked for so long; null: longer each time. */
  waitMs: number | null;
}

/** Orders a certificate for a name, and writes down what comes of it, a refusal too. */
export async function orderCertificate(parts: OrderParts, name: string, signal: AbortSignal): Promise<void> {
  const { base, log } = parts;
  const { directory } = parts.access;
  const replaced = orderedByName(base).get(name);
  const order = base.store.tx((tx) => {
    setCertificateName(tx, name, { status: 'ordering' });
    return insertOrder(tx, { directory, name, renewal: replaced?.directory === directory, at: base.now() });
  });
  try {
    const issued = await obtain(parts, name, signal);
    const certificate = readIssued(issued, name, base.now());
    keep(base, { name, directory, order, replaced: replaced?.id ?? null, certificate });
    log.info({ name, notAfter: new Date(certificate.not_after).toISOString() }, 'a certificate was issued');
  } catch (error) {
    if (signal.aborted) throw error;
    const refusal = refusalOf(error, name);
    noteRefusal(base, { name, directory, order }, refusal);
    log.warn({ name, problem: refusal.problem, error }, 'a certificate was not issued');
  } finally {
    base.store.tx((tx) => deleteChallenges(tx));
    // What is new is served, what was asked for is not told any more.
    await follow(base);
  }
}

/** The certificate that is renewed when one is ordered, by the name. */
export function orderedByName({ store }: Pick<Base, 'store'>): ReadonlyMap<string, CertificateBrief> {
  const ordered = listCertificates(store).filter(({ kind }) => kind === 'acme');
  // One that is ordered has one name.
  return new Map(ordered.map((row) => [(JSON.parse(row.hosts) as string[])[0] ?? '', row]));
}

async function obtain(parts: OrderParts, name: string, signal: AbortSignal): Promise<Issued> {
  const provider = providerFor(parts.base, name);
  return provider === undefined ? overHttp(parts, name, signal) : overDns(parts, name, provider, signal);
}

async function overHttp({ base, session, access }: OrderParts, name: string, signal: AbortSignal): Promise<Issued> {
  return session.order(
    name,
    {
      registered: (url) => noteRegistered(base, access, url),
      async challenge(token, answer) {
        base.store.tx((tx) => insertChallenge(tx, token, answer));
        await base.proxy.sync(routeTable(base));
      },
    },
    signal,
  );
}

async function overDns(
  { base, session, access, lego }: OrderParts,
  name: string,
  row: DnsProviderRow,
  signal: AbortSignal,
): Promise<Issued> {
  if (lego === null) throw new LegoFailed('The simulated engine cannot run what writes records of a domain.', false);
  noteRegistered(base, access, await session.register(signal));
  const { directory, email, trustedCa, accountKey } = access;
  const credentials = credentialsOf(base.sealer, row);
  const { resolver } = base.settings().acme;
  const asked = { name, directory, email, accountKey, trustedCa, provider: row.provider, credentials, resolver };
  return lego.obtain({ ...asked, checkPropagation: row.check_propagation === 1 }, signal);
}

/** An authority is not believed more than anybody who uploads a certificate. */
function readIssued({ chain, key }: Issued, name: string, now: number): ReadCertificate {
  const certificate = readCertificate(chain, key, now);
  if (certificate.hosts.length === 1 && certificate.hosts[0] === name) return certificate;
  throw new PemRefused(`certificate: is for ${certificate.hosts.join(', ')} and not for ${name}.`);
}

/** What was ordered, where, and under which number that is on record. */
interface Ordered {
  name: string;
  directory: string;
  order: number;
}

interface Keeping extends Ordered {
  /** The number of the one that is renewed; null: it is the first. */
  replaced: number | null;
  certificate: ReadCertificate;
}

function keep(base: Base, { name, directory, order, replaced, certificate }: Keeping): void {
  const at = base.now();
  const { key, ...fields } = certificate;
  base.store.tx((tx) => {
    const row = { ...fields, kind: 'acme' as const, directory, created_at: at, updated_at: at };
    // Somebody may have removed it meanwhile.
    const kept = replaced === null ? undefined : certificateById(tx, replaced);
    putCertificate(tx, kept?.id ?? null, row, (id) => base.sealer.seal(key, keyPlace(id)));
    setCertificateName(tx, name, { status: 'idle', failures: 0, problem: null, next_try_at: null, renew: 0 });
    endOrder(tx, order, 'issued', null, at);
  });
}

function noteRefusal(
  base: Base,
  { name, directory, order }: Ordered,
  { outcome, problem, concerns, waitMs }: Refusal,
): void {
  const at = base.now();
  const failures = (certificateName(base.store, name)?.failures ?? 0) + (concerns === 'name' ? 1 : 0);
  const until =
    concerns === 'authority'
      ? pauseAuthority(base, directory, problem, waitMs)
      : at + Math.max(waitMs ?? 0, backoffMs(Math.max(failures, 1)));
  base.store.tx((tx) => {
    setCertificateName(tx, name, { status: 'failed', failures, problem, next_try_at: until });
    endOrder(tx, order, outcome, problem, at);
  });
}

/** What an error says of the name and of the authority. */
function refusalOf(error: unknown, name: string): Refusal {
  if (error instanceof AcmeRefused) return refusalOfAuthority(error, name);
  if (error instanceof LegoFailed) {
    const { message: problem, isLimited } = error;
    return { outcome: 'invalid', problem, concerns: 'name', waitMs: isLimited ? LIMITED_MS : null };
  }
  if (error instanceof PemRefused) {
    const problem = `What the authority issued cannot be used: ${error.message}`;
    return { outcome: 'issued', problem, concerns: 'name', waitMs: LIMITED_MS };
  }
  if (error instanceof ProxyUnavailable) {
    const problem = `The proxy cannot answer what the authority asks: ${error.message}`;
    return { outcome: 'refused', problem, concerns: 'name', waitMs: null };
  }
  const { message } = error as Error;
  return { outcome: 'interrupted', problem: sentence(message), concerns: 'name', waitMs: null };
}

function refusalOfAuthority({ failure }: AcmeRefused, name: string): Refusal {
  const { stage, cause, message, retryAfterS } = failure;
  const waitMs = retryAfterS === null ? null : Math.min(retryAfterS * 1_000, LONGEST_WAIT_MS);
  const words = sentence(message);
  // Before there is an order, what is wrong has nothing to do with the name.
  if (cause === 'unreached' || stage === 'register') {
    const outcome = stage === 'register' ? 'unreached' : 'interrupted';
    const problem = cause === 'unreached' ? `The authority cannot be reached: ${words}` : words;
    return { outcome, problem, concerns: 'authority', waitMs };
  }
  if (cause === 'limited') {
    const concerns = message.includes(name) ? 'name' : 'authority';
    return { outcome: 'refused', problem: words, concerns, waitMs: waitMs ?? LIMITED_MS };
  }
  return { outcome: stage === 'validate' ? 'invalid' : 'refused', problem: words, concerns: 'name', waitMs };
}

/** A proxy that is away is told by the reconciler of routes once it is back. */
async function follow(base: Base): Promise<void> {
  try {
    await base.proxy.sync(routeTable(base));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    base.nudgeRoutes();
  }
}
