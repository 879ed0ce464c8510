/** Types and pure functions for one update of HAProxy. An update changes HAProxy to the desired state. */
import { type CertificateProblem, ProxyUnavailable, type SyncReport } from '../proxy.ts';
import { blamedCertificate } from './certificates.ts';
import type { Desired } from './desired.ts';
import { RuntimeUnreachable } from './runtime.ts';
import type { ReadState } from './settle.ts';

export interface PassTarget {
  desired: Desired;
  /** Loopback port for registry clients on this server. `null` means that HAProxy does not listen on this port. */
  registryPort: number | null;
  /**
   * Hash of the HAProxy configuration without backends, servers and maps. If the hash changes, HAProxy needs a reload.
   */
  hash: string;
  patienceMs: number;
  superseded: () => boolean;
}

/**
 * Result of one update of HAProxy: a report, or the certificates that HAProxy rejected. If HAProxy rejected
 * certificates, the update must run again without them.
 */
export type PassResult =
  | Omit<SyncReport, 'certificateProblems' | 'registryProblem'>
  | { refused: CertificateProblem[] };

/** Returns whether HAProxy must be reloaded to reach the desired state. */
export function needsReload(state: ReadState, hash: string, desired: Desired): boolean {
  const { mark } = state;
  return mark === null || mark.hash !== hash || [...desired.backends.values()].some(({ slot }) => slot > mark.slots);
}

/** Converts any error to a `ProxyUnavailable` error with a message for users. */
export function unavailable(error: unknown): ProxyUnavailable {
  if (error instanceof ProxyUnavailable) return error;
  const { message } = error as Error;
  const sentence =
    error instanceof RuntimeUnreachable
      ? `The proxy does not respond (${message}). Davit tries again; if this warning remains, read the log of the proxy container.`
      : message;
  return new ProxyUnavailable(sentence, { cause: error });
}

/**
 * Returns the certificate that is mentioned in HAProxy's error message. The caller can then repeat the update without
 * this certificate.
 * @throws the given error if it is not about a certificate
 */
export function blameCertificate(error: unknown, { desired }: PassTarget): { refused: CertificateProblem[] } {
  const { message } = error as Error;
  const name = error instanceof RuntimeUnreachable ? null : blamedCertificate(message);
  if (name === null || !desired.certificates.some((certificate) => certificate.name === name)) throw error;
  return { refused: [{ name, reason: `The proxy rejects the certificate: ${message}` }] };
}

/** Returns a copy of an HAProxy state that contains only the servers, without map entries and certificates. */
export function serversOnly<T extends Pick<ReadState, 'rules' | 'challenges'> & { certificates: unknown[] }>(
  state: T,
): T {
  return { ...state, routes: new Map(), rules: new Map(), challenges: new Map(), certificates: [] };
}
