import type { CertificatesDeps } from '../certificates/deps.ts';

/** Dependencies of the functions in this folder. */
export type DomainsDeps = CertificatesDeps;
