/** What follows from an order that brought no certificate: who has to wait, for how long, and what users are told. Pure. */
import type { CertificateProblemCode } from '@davit/api';
import { LegoFailed, RecordsRefused } from '../../adapters/lego/lego.ts';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import type { OrderOutcome } from '../../db/tables/certificate-order.ts';
import { AcmeRefused } from './acme/session.ts';
import { authorityOf } from './authority.ts';
import { PemRefused } from './pem.ts';
import { dnsProblemOf, type OrderProblem, orderProblemOf } from './problem.ts';
import { LONGEST_WAIT_MS } from './times.ts';

/** How long the authority is left alone when it asked for that without saying for how long. */
const LIMITED_MS = 3_600_000;

const FAULT: OrderProblem = {
  code: 'order_interrupted',
  message:
    'The order was interrupted by a fault of this instance, and is tried again. The log of the instance has the reason.',
};

/** Without the text of the proxy, which may name routes of other projects. */
const NOT_SERVED: OrderProblem = {
  code: 'validation_not_served',
  message:
    'The proxy does not answer, so the authority cannot validate the name. The order is tried again. The warnings of the instance have the reason.',
};

/** What to do after an order that brought nothing. */
export interface OrderRefusal {
  outcome: OrderOutcome;
  problem: OrderProblem;
  /** Of the name alone, or of everything that is asked of the authority. */
  concerns: 'name' | 'authority';
  /** It asked for so long; null: longer each time. */
  waitMs: number | null;
}

/** What an error says of the name and of the authority. */
export function orderRefusalOf(error: unknown, name: string, directory: string): OrderRefusal {
  if (error instanceof AcmeRefused) return refusalOfAuthority(error, name, directory);
  if (error instanceof LegoFailed)
    return { outcome: 'invalid', problem: coded('dns_program_failed', error.message), concerns: 'name', waitMs: null };
  if (error instanceof RecordsRefused) {
    const waitMs = error.code === 'rateLimited' ? LIMITED_MS : null;
    return { outcome: 'invalid', problem: dnsProblemOf(error.code, name), concerns: 'name', waitMs };
  }
  if (error instanceof PemRefused) {
    const problem = coded('certificate_unusable', `What the authority issued cannot be used: ${error.message}`);
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
  // Before there is an order, what is wrong has nothing to do with the name.
  if (cause === 'unreached' || stage === 'register') {
    const outcome = stage === 'register' ? 'unreached' : 'interrupted';
    return { outcome, problem, concerns: 'authority', waitMs };
  }
  // Limits of the account are counted before anything is asked. Here another server may have used up the limit of a domain.
  if (cause === 'limited') return { outcome: 'refused', problem, concerns: 'name', waitMs: waitMs ?? LIMITED_MS };
  return { outcome: stage === 'validate' ? 'invalid' : 'refused', problem, concerns: 'name', waitMs };
}

function coded(code: CertificateProblemCode, message: string): OrderProblem {
  return { code, message };
}
