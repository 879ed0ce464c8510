import type { CertificatesDeps } from '../certificates/deps.ts';

/** What the functions of this folder work with. */
export type DomainsDeps = CertificatesDeps;
