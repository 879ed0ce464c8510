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

/** It gave no certificate. The message is a sentence of ours. */
export class LegoFailed extends Error {
  override name = 'LegoFailed';
}

/** The authority or the DNS provider refused. The message is theirs, without anything of the credentials, and for the log. */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused';
  /** The type of the authority's error in RFC 8555, without its prefix; null: none is known. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

export interface Lego {
  /** The codes of the providers that it knows. @throws LegoFailed, RecordsRefused */
  providers(): Promise<readonly string[]>;
  /** Removes what a process that was killed has left behind; with the engine away it stays for the next order. */
  tidy(): Promise<void>;
  /** Has a certificate made; PEM both. @throws LegoFailed, RecordsRefused */
  obtain(order: LegoOrder, signal: AbortSignal): Promise<{ chain: string; key: string }>;
}
