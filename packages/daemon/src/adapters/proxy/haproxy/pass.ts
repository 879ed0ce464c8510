/**
 * Types and helpers for one sync of the proxy. A sync changes HAProxy's configuration to the desired state. All
 * functions are pure.
 */
import { type CertificateProblem, ProxyUnavailable, type SyncReport } from '../proxy.ts';
import { blamedCertificate } from './certificates.ts';
import type { Desired } from './desired.ts';
import { RuntimeUnreachable } from './runtime.ts';
import type { ReadState } from './settle.ts';

export interface PassTarget {
  desired: Desired;
  /** Loopback port for registry clients on this server, or `null` if HAProxy does not listen for them. */
  registryPort: number | null;
  /** Hash of the HAProxy configuration without backends, servers and maps. A different hash requires a reload. */
  hash: string;
  patienceMs: number;
  superseded: () => boolean;
}

/**
 * Result of one sync of HAProxy: a report, or the certificates that HAProxy rejected. After a rejection, the sync must
 * run again without these certificates.
 */
export type PassResult =
  | Omit<SyncReport, 'certificateProblems' | 'registryProblem'>
  | { refused: CertificateProblem[] };

/** Returns whether HAProxy must be reloaded to reach the desired state. */
export function needsReload(state: ReadState, hash: string, desired: Desired): boolean {
  const { mark } = state;
  return mark === null || mark.hash !== hash || [...desired.backends.values()].some(({ slot }) => slot > mark.slots);
}

/** Converts any error into a `ProxyUnavailable` error with a message that users can see. */
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
 * Returns the certificate that HAProxy's error message mentions, so that the caller can repeat the sync without it.
 * @throws the given error if it is not about a certificate
 */
export function blameCertificate(error: unknown, { desired }: PassTarget): { refused: CertificateProblem[] } {
  const { message } = error as Error;
  const name = error instanceof RuntimeUnreachable ? null : blamedCertificate(message);
  if (name === null || !desired.certificates.some((certificate) => certificate.name === name)) throw error;
  return { refused: [{ name, reason: `The proxy rejects the certificate: ${message}` }] };
}

/** Returns a copy of an HAProxy state without map entries and certificates. Only the servers remain. */
export function serversOnly<T extends Pick<ReadState, 'rules' | 'challenges'> & { certificates: unknown[] }>(
  state: T,
): T {
  return { ...state, routes: new Map(), rules: new Map(), challenges: new Map(), certificates: [] };
}
