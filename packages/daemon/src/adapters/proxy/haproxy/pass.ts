/** What a pass works towards, and what comes of it. Pure. */
import { type CertificateProblem, ProxyUnavailable, type SyncReport } from '../proxy.ts';
import { blamedCertificate } from './certificates.ts';
import type { Desired } from './desired.ts';
import { RuntimeUnreachable } from './runtime.ts';
import type { ReadState } from './settle.ts';

/** What a pass works towards. */
export interface PassTarget {
  desired: Desired;
  /** Of the fixed part of the configuration. */
  hash: string;
  patienceMs: number;
  superseded: () => boolean;
}

/** What a pass came to: a report, or certificates without which it has to be made again. */
export type PassResult = Omit<SyncReport, 'certificateProblems'> | { refused: CertificateProblem[] };

/** Whether the running proxy lacks what it can only be given by a reload. */
export function needsReload(state: ReadState, hash: string, desired: Desired): boolean {
  const { mark } = state;
  return mark === null || mark.hash !== hash || [...desired.backends.values()].some(({ slot }) => slot > mark.slots);
}

/** Any failure in the words of the interface. */
export function unavailable(error: unknown): ProxyUnavailable {
  if (error instanceof ProxyUnavailable) return error;
  const { message } = error as Error;
  const sentence =
    error instanceof RuntimeUnreachable
      ? `The proxy does not answer (${message}): Davit goes on trying; look at the log of its container if it stays.`
      : message;
  return new ProxyUnavailable(sentence, { cause: error });
}

/** When the proxy's words are about one certificate, it is that one which is left out. @throws what was caught otherwise */
export function blameCertificate(error: unknown, { desired }: PassTarget): { refused: CertificateProblem[] } {
  const { message } = error as Error;
  const name = error instanceof RuntimeUnreachable ? null : blamedCertificate(message);
  if (name === null || !desired.certificates.some((certificate) => certificate.name === name)) throw error;
  return { refused: [{ name, reason: `The proxy does not take the certificate: ${message}` }] };
}

/** The same without what is looked up in maps and the list of certificates. */
export function serversOnly<T extends Pick<ReadState, 'rules' | 'challenges'> & { certificates: unknown[] }>(
  state: T,
): T {
  return { ...state, routes: new Map(), rules: new Map(), challenges: new Map(), certificates: [] };
}
