/** What the thread that speaks to an authority and the daemon say to each other. */

/** What is needed to speak to an authority. */
export interface AcmeAccess {
  directory: string;
  /** PEM of a key on P-256. */
  accountKey: string;
  /** Null: the account is registered first. */
  accountUrl: string | null;
  /** Given to the authority; with it its terms are agreed to. */
  email: string;
  externalAccount: { kid: string; hmacKey: string } | null;
  /** PEM; trusted besides those that everybody trusts. */
  trustedCa: string | null;
}

export type ToAcme =
  | { kind: 'register' }
  /** One certificate for one name. */
  | { kind: 'order'; name: string }
  /** What the challenge asked for can be read now. */
  | { kind: 'answered' };

export type FromAcme =
  | { kind: 'registered'; accountUrl: string }
  | { kind: 'challenge'; token: string; answer: string }
  /** PEM both. */
  | { kind: 'issued'; chain: string; key: string }
  | { kind: 'failed'; failure: AcmeFailure };

/** Why an authority gave no certificate. */
export interface AcmeFailure {
  /** What was being done: before `order` nothing was asked for yet that its limits count. */
  stage: 'register' | 'order' | 'validate' | 'issue';
  /**
   * The type of the error in RFC 8555 without its prefix, a code of the runtime, or one of ours (`garbled`, `circle`, `late`,
   * `not_https`, `no_http_proof`); null: none is known.
   */
  code: string | null;
  /** Its own words, or what came in the way: for the log. */
  message: string;
  /** `unreached`: there was no answer, or none that a working authority gives. */
  cause: 'refused' | 'limited' | 'unreached';
  /** How long it wants to be left alone, in seconds; null: it did not say. */
  retryAfterS: number | null;
}
