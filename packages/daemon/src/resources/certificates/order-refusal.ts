/**
 * Decides when Davit repeats a failed certificate request, and which error message users see. All functions in this
 * file are pure.
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

/**
 * Delay in milliseconds of certificate orders after a rate limit is exceeded. The delay is used if the certificate
 * authority does not request another delay.
 */
const LIMITED_MS = 3_600_000;

const FAULT: OrderProblem = {
  code: 'order_interrupted',
  message:
    'An internal error interrupted the certificate request, and Davit tries again. Find the reason in the log of the instance.',
};

/**
 * Error message for users if HAProxy does not respond. The original message of HAProxy is omitted, because it can
 * contain host names of other projects.
 */
const NOT_SERVED: OrderProblem = {
  code: 'validation_not_served',
  message:
    'The certificate authority cannot validate the name because the proxy does not respond. Davit tries again; find the reason in the warnings of the instance.',
};

export interface OrderRefusal {
  outcome: OrderOutcome;
  problem: OrderProblem;
  /**
   * Whether only requests for this host name must wait after the error (`name`), or all requests to the certificate
   * authority (`authority`).
   */
  concerns: 'name' | 'authority';
  /** Minimum time in milliseconds until the next attempt. With `null`, the time becomes longer after each failure. */
  waitMs: number | null;
}

/** Returns the error message for users after a failed certificate request, and the time until the next request. */
export function orderRefusalOf(error: unknown, name: string, directory: string): OrderRefusal {
  if (error instanceof AcmeRefused) return refusalOfAuthority(error, name, directory);
  if (error instanceof LegoFailed)
    return { outcome: 'invalid', problem: coded('dns_program_failed', error.message), concerns: 'name', waitMs: null };
  if (error instanceof RecordsRefused) {
    const waitMs = error.code === 'rateLimited' ? LIMITED_MS : null;
    return { outcome: 'invalid', problem: dnsProblemOf(error.code, name), concerns: 'name', waitMs };
  }
  if (error instanceof PemRefused) {
    const problem = coded('certificate_unusable', `The issued certificate cannot be used. ${error.problem.message}`);
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
  /*
   * Davit cannot reach the certificate authority or has no account there. All other requests to this authority would
   * also fail, so they must wait.
   */
  if (cause === 'unreached' || stage === 'register') {
    const outcome = stage === 'register' ? 'unreached' : 'interrupted';
    return { outcome, problem, concerns: 'authority', waitMs };
  }
  /*
   * Davit keeps the number of its requests below the rate limit. Another server has probably used up the rate limit for
   * this host name, so only this host name must wait.
   */
  if (cause === 'limited') return { outcome: 'refused', problem, concerns: 'name', waitMs: waitMs ?? LIMITED_MS };
  return { outcome: stage === 'validate' ? 'invalid' : 'refused', problem, concerns: 'name', waitMs };
}

function coded(code: CertificateProblemCode, message: string): OrderProblem {
  return { code, message };
}
