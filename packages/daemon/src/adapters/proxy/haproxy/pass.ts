/** Target and result of a pass. Pure. */
import { type CertificateProblem, ProxyUnavailable, type SyncReport } from '../proxy.ts';
import { blamedCertificate } from './certificates.ts';
import type { Desired } from './desired.ts';
import { RuntimeUnreachable } from './runtime.ts';
import type { ReadState } from './settle.ts';

/** Target of a pass. */
export interface PassTarget {
  desired: Desired;
  /** Hash of the fixed part of the configuration. */
  hash: string;
  patienceMs: number;
  superseded: () => boolean;
}

/** Result of a pass: a report, or rejected certificates. A pass must run again without rejected certificates. */
export type PassResult = Omit<SyncReport, 'certificateProblems'> | { refused: CertificateProblem[] };

/** Returns whether the running proxy needs a reload to reach the desired state. */
export function needsReload(state: ReadState, hash: string, desired: Desired): boolean {
  const { mark } = state;
  return mark === null || mark.hash !== hash || [...desired.backends.values()].some(({ slot }) => slot > mark.slots);
}

/** Converts any error into an error of the interface. */
export function unavailable(error: unknown): ProxyUnavailable {
  if (error instanceof ProxyUnavailable) return error;
  const { message } = error as Error;
  const sentence =
    error instanceof RuntimeUnreachable
      ? `The proxy does not respond (${message}), and Davit tries again. If this warning stays, read the log of the container of the proxy.`
      : message;
  return new ProxyUnavailable(sentence, { cause: error });
}

/**
 * Returns the certificate that the proxy's message names, so that the next pass excludes it.
 * @throws the given error if it is not about a certificate
 */
export function blameCertificate(error: unknown, { desired }: PassTarget): { refused: CertificateProblem[] } {
  const { message } = error as Error;
  const name = error instanceof RuntimeUnreachable ? null : blamedCertificate(message);
  if (name === null || !desired.certificates.some((certificate) => certificate.name === name)) throw error;
  return { refused: [{ name, reason: `The proxy rejects the certificate: ${message}` }] };
}

/** Returns a state without the contents of maps and the list of certificates. */
export function serversOnly<T extends Pick<ReadState, 'rules' | 'challenges'> & { certificates: unknown[] }>(
  state: T,
): T {
  return { ...state, routes: new Map(), rules: new Map(), challenges: new Map(), certificates: [] };
}
