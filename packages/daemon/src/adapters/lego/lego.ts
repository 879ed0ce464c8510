/**
 * Interface of the program that proves the ownership of names with records at DNS providers. Orders of wildcard
 * certificates use this program.
 */

export interface LegoOrder {
  /** Host, or `*.` and a host. */
  name: string;
  directory: string;
  email: string;
  /** Key of an existing account, in PEM format (SEC 1). */
  accountKey: string;
  /** Certificate in PEM format that is trusted in addition to the public certificate authorities, or `null`. */
  trustedCa: string | null;
  /** Code of a DNS provider. */
  provider: string;
  /** Values of the provider's environment variables. */
  credentials: Record<string, string>;
  checkPropagation: boolean;
  /** DNS server as `address:port`, or `null` for the DNS servers of the host. */
  resolver: string | null;
}

/** Error if lego returned no certificate. Davit wrote the message. */
export class LegoFailed extends Error {
  override name = 'LegoFailed';
}

/**
 * Error if the certificate authority or the DNS provider refused. The message is text of that system without
 * credentials, for the log.
 */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused';
  /** Error type of the certificate authority in RFC 8555 without its prefix, or `null` if unknown. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

export interface Lego {
  /** Returns the codes of the supported providers. @throws LegoFailed, RecordsRefused */
  providers(): Promise<readonly string[]>;
  /**
   * Removes files and containers of a daemon that was killed. If the engine is not available, the next order removes
   * the container.
   */
  tidy(): Promise<void>;
  /** Orders a certificate. @returns chain and key in PEM format @throws LegoFailed, RecordsRefused */
  obtain(order: LegoOrder, signal: AbortSignal): Promise<{ chain: string; key: string }>;
}
