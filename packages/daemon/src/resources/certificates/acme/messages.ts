/**
 * Messages between the daemon and its worker thread. The worker thread sends the requests to a certificate authority.
 */

/** Data that the worker thread needs for requests to an ACME authority. */
export interface AcmeAccess {
  directory: string;
  /** Private key of the ACME account in PEM format. It is a key for the elliptic curve P-256. */
  accountKey: string;
  /** URL of the ACME account, or `null` if the account is not registered yet. */
  accountUrl: string | null;
  /**
   * Contact address of the ACME account. The registration also accepts the terms of service of the certificate
   * authority.
   */
  email: string;
  externalAccount: { kid: string; hmacKey: string } | null;
  /**
   * Additional CA certificate in PEM format that Davit trusts for connections to the ACME server, or `null`. Public CAs
   * are always trusted.
   */
  trustedCa: string | null;
}

export type ToAcme =
  | { kind: 'register' }
  | { kind: 'order'; name: string }
  /** Tells the worker thread that HAProxy now sends the response to the HTTP-01 challenge. */
  | { kind: 'answered' };

export type FromAcme =
  | { kind: 'registered'; accountUrl: string }
  | { kind: 'challenge'; token: string; answer: string }
  /** Certificate chain and private key of an issued certificate, as PEM. */
  | { kind: 'issued'; chain: string; key: string }
  | { kind: 'failed'; failure: AcmeFailure };

/** Reason why an ACME authority issued no certificate. */
export interface AcmeFailure {
  /**
   * Step at which the request for a certificate failed. The rate limits of the certificate authority do not include
   * failures at the step `register`.
   */
  stage: 'register' | 'order' | 'validate' | 'issue';
  /**
   * ACME error type without prefix (RFC 8555), Node.js error code, or code of Davit such as `late` (timeout). `null` if
   * unknown.
   */
  code: string | null;
  /** Error message of the certificate authority or the connection. It is used only in the log. */
  message: string;
  /** Kind of failure. `unreached` means that the certificate authority did not respond or had an internal error. */
  cause: 'refused' | 'limited' | 'unreached';
  /**
   * Number of seconds after which the certificate authority accepts requests again. `null` if the authority did not
   * send a time.
   */
  retryAfterS: number | null;
}
