/** Consequences of a failed order: what waits, how long, and which message users get. The functions are pure. */
import type { CertificateProblemCode } from '@davit/api';
import { LegoFailed, RecordsRefused } from '../../adapters/lego/lego.ts';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import type { OrderOutcome } from '../../db/tables/certificate-order.ts';
import { AcmeRefused } from './acme/session.ts';
import { authorityOf } from './authority.ts';
import { PemRefused } from './pem.ts';
import { dnsProblemOf, type OrderProblem, orderProblemOf } from './problem.ts';
import { LONGEST_WAIT_MS } from './times.ts';

/** Pause of the authority when it asked for a pause without a duration. */
const LIMITED_MS = 3_600_000;

const FAULT: OrderProblem = {
  code: 'order_interrupted',
  message: 'An internal error interrupted the order, and Davit tries again. The log of the instance has the reason.',
};

/** Problem of an unavailable proxy. The proxy's own message can name routes of other projects and is left out. */
const NOT_SERVED: OrderProblem = {
  code: 'validation_not_served',
  message:
    'The certificate authority cannot validate the name because the proxy does not respond. Davit tries again; the warnings of the instance have the reason.',
};

/** Consequences of an order without a certificate. */
export interface OrderRefusal {
  outcome: OrderOutcome;
  problem: OrderProblem;
  /** Whether the problem concerns only the name, or all requests to the authority. */
  concerns: 'name' | 'authority';
  /** Requested waiting time in milliseconds, or `null` for a time that grows with each failure. */
  waitMs: number | null;
}

/** Returns the consequences of an error for the name and for the authority. */
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
  // A failure before the order has nothing to do with the name.
  if (cause === 'unreached' || stage === 'register') {
    const outcome = stage === 'register' ? 'unreached' : 'interrupted';
    return { outcome, problem, concerns: 'authority', waitMs };
  }
  // Davit counts the account's limits before each order. A refusal here means that another server used up the limit of
  // a domain.
  if (cause === 'limited') return { outcome: 'refused', problem, concerns: 'name', waitMs: waitMs ?? LIMITED_MS };
  return { outcome: stage === 'validate' ? 'invalid' : 'refused', problem, concerns: 'name', waitMs };
}

function coded(code: CertificateProblemCode, message: string): OrderProblem {
  return { code, message };
}
