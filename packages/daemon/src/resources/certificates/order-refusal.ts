/**
 * Consequences of a failed certificate order: what is postponed, for how long, and with which message. The functions
 * are pure.
 */
import type { CertificateProblemCode } from '@davit/api';
import { LegoFailed, RecordsRefused } from '../../adapters/lego/lego.ts';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import type { OrderOutcome } from '../../db/tables/certificate-order.ts';
import { AcmeRefused } from './acme/session.ts';
import { authorityOf } from './authority.ts';
import { PemRefused } from './pem.ts';
import { dnsProblemOf, type OrderProblem, orderProblemOf } from './problem.ts';
import { LONGEST_WAIT_MS } from './times.ts';

/** Pause of certificate orders, in milliseconds, if a rate limit was reached and the authority gave no duration. */
const LIMITED_MS = 3_600_000;

const FAULT: OrderProblem = {
  code: 'order_interrupted',
  message:
    'An internal error interrupted the certificate request, and Davit tries again. The log of the instance has the reason.',
};

/**
 * Problem for an unavailable proxy. The proxy's own error message is omitted, because it can name routes of other
 * projects.
 */
const NOT_SERVED: OrderProblem = {
  code: 'validation_not_served',
  message:
    'The certificate authority cannot validate the name because the proxy does not respond. Davit tries again; the warnings of the instance have the reason.',
};

export interface OrderRefusal {
  outcome: OrderOutcome;
  problem: OrderProblem;
  /** Whether the problem affects only orders for this name, or all requests to the authority. */
  concerns: 'name' | 'authority';
  /** Minimum time until the next attempt in milliseconds, or `null` for a time that grows with each failure. */
  waitMs: number | null;
}

/** Returns the consequences of a failed certificate order for the name and for the authority. */
export function orderRefusalOf(error: unknown, name: string, directory: string): OrderRefusal {
  if (error instanceof AcmeRefused) return refusalOfAuthority(error, name, directory);
  if (error instanceof LegoFailed)
    return { outcome: 'invalid', problem: coded('dns_program_failed', error.message), concerns: 'name', waitMs: null };
  if (error instanceof RecordsRefused) {
    const waitMs = error.code === 'rateLimited' ? LIMITED_MS : null;
    return { outcome: 'invalid', problem: dnsProblemOf(error.code, name), concerns: 'name', waitMs };
  }
  if (error instanceof PemRefused) {
    const problem = coded('certificate_unusable', `The issued certificate cannot be used. ${error.message}`);
    return { outcome: 'issued', problem, concerns: 'name', waitMs: LIMITED_MS };
  }
  if (error instanceof ProxyUnavailable) {
    return { outcome: 'refused', problem: NOT_SERVED, concerns: 'name', waitMs: null };
  }
  return { outcome: 'interrupted', problem: FAULT, concerns: 'name', waitMs: null };
}

function refusalOfAuthority({ failure }: AcmeRefused, name: string, directory: string): OrderRefusal {
  const { stage, cause, retryAfterS } = failure;
  const problem = orderProblemOf(failure, name, authorityOf(directory).public);
  const waitMs = retryAfterS === null ? null : Math.min(retryAfterS * 1_000, LONGEST_WAIT_MS);
  // A failed registration or connection affects all orders at the authority, not only this name.
  if (cause === 'unreached' || stage === 'register') {
    const outcome = stage === 'register' ? 'unreached' : 'interrupted';
    return { outcome, problem, concerns: 'authority', waitMs };
  }
  // Davit counts the account's orders and stays below the rate limits. If the authority still reports a rate limit,
  // another server has ordered certificates for the same domain. Therefore only this name waits.
  if (cause === 'limited') return { outcome: 'refused', problem, concerns: 'name', waitMs: waitMs ?? LIMITED_MS };
  return { outcome: stage === 'validate' ? 'invalid' : 'refused', problem, concerns: 'name', waitMs };
}

function coded(code: CertificateProblemCode, message: string): OrderProblem {
  return { code, message };
}
