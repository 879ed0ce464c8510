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
   * Contact address of the ACME account. With the registration, Davit also accepts the terms of service of the
   * certificate authority.
   */
  email: string;
  externalAccount: { kid: string; hmacKey: string } | null;
  /**
   * Additional CA certificate in PEM format for connections to the ACME server, or `null`. Davit also trusts all public
   * CAs.
   */
  trustedCa: string | null;
}

export type ToAcme =
  | { kind: 'register' }
  | { kind: 'order'; name: string }
  /** Message to the worker thread that HAProxy now sends the response to the HTTP-01 challenge. */
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
   * Step at which the certificate request failed. Failures at the step `register` do not affect the rate limits of the
   * certificate authority.
   */
  stage: 'register' | 'order' | 'validate' | 'issue';
  /**
   * Error code, or `null` if it is unknown. Possible codes are ACME error types without prefix (RFC 8555), Node.js
   * error codes, and codes of Davit such as `late` (timeout).
   */
  code: string | null;
  /** Error message of the certificate authority or of the connection. The message is only for the log. */
  message: string;
  /** Kind of failure. `unreached` means that the certificate authority did not respond or had an internal error. */
  cause: 'refused' | 'limited' | 'unreached';
  /** Number of seconds after which the certificate authority accepts requests again, or `null` if unknown. */
  retryAfterS: number | null;
}
