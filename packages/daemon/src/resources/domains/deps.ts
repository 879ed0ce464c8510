import type { CertificatesDeps } from '../certificates/deps.ts';

export type DomainsDeps = CertificatesDeps;
