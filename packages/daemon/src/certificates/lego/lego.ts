/** The program that proves names by writing records at DNS providers, as what orders wildcards sees it. */

export interface LegoOrder {
  /** A host, or `*.` and a host. */
  name: string;
  directory: string;
  email: string;
  /** PEM (SEC 1) of the account's key; the account exists. */
  accountKey: string;
  /** PEM; trusted besides those that everybody trusts. */
  trustedCa: string | null;
  /** The code of a DNS provider. */
  provider: string;
  /** What the provider's variables are set to. */
  credentials: Record<string, string>;
  checkPropagation: boolean;
  /** `address:port` of the DNS server that is asked; null: the machine's. */
  resolver: string | null;
}

/** It gave no certificate. The message says why, without anything of the credentials. */
export class LegoFailed extends Error {
  override name = 'LegoFailed';
  /** The authority asked for patience. */
  readonly isLimited: boolean;

  constructor(message: string, isLimited: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isLimited = isLimited;
  }
}

export interface Lego {
  /** The codes of the providers that it knows. @throws LegoFailed */
  providers(): Promise<readonly string[]>;
  /** Removes what a process that was killed has left behind; with the engine away it stays for the next order. */
  tidy(): Promise<void>;
  /** Has a certificate made; PEM both. @throws LegoFailed */
  obtain(order: LegoOrder, signal: AbortSignal): Promise<{ chain: string; key: string }>;
}
