/** Messages between the daemon and the worker thread that sends requests to a certificate authority. */

/** Data for requests to an authority. */
export interface AcmeAccess {
  directory: string;
  /** Private key of the account on the curve P-256, as PEM. */
  accountKey: string;
  /** Address of the account, or `null` if the account must be registered first. */
  accountUrl: string | null;
  /** Contact address for the authority. The registration with it also agrees to the authority's terms. */
  email: string;
  externalAccount: { kid: string; hmacKey: string } | null;
  /** Additional trusted CA certificate as PEM, or `null`. The public roots are always trusted. */
  trustedCa: string | null;
}

export type ToAcme =
  | { kind: 'register' }
  /** Orders one certificate for one name. */
  | { kind: 'order'; name: string }
  /** Reports that the response to the challenge is available for the authority. */
  | { kind: 'answered' };

export type FromAcme =
  | { kind: 'registered'; accountUrl: string }
  | { kind: 'challenge'; token: string; answer: string }
  /** PEM texts of the certificate chain and the private key. */
  | { kind: 'issued'; chain: string; key: string }
  | { kind: 'failed'; failure: AcmeFailure };

/** Reason why an authority issued no certificate. */
export interface AcmeFailure {
  /** Stage that failed. Nothing before `order` counts for the limits of the authority. */
  stage: 'register' | 'order' | 'validate' | 'issue';
  /**
   * Error code, or `null` if unknown. The code is an RFC 8555 error type without its prefix, a Node.js error code, or a
   * code of Davit. The codes of Davit are `garbled`, `circle`, `late`, `not_https` and `no_http_proof`.
   */
  code: string | null;
  /** Error message of the authority or the connection, for the log. */
  message: string;
  /** Kind of failure. `unreached` means no response, or a response that a working authority does not send. */
  cause: 'refused' | 'limited' | 'unreached';
  /** Time in seconds after which the authority accepts requests again, or `null` if the authority gave no time. */
  retryAfterS: number | null;
}
