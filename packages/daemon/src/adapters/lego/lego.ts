/**
 * Interface to the ACME client lego. Lego orders TLS certificates with the ACME challenge DNS-01, which wildcard
 * certificates need.
 */

export interface LegoOrder {
  /** Host name of the certificate. For a wildcard certificate, the host name starts with `*.`. */
  name: string;
  directory: string;
  email: string;
  /** Private key of an existing ACME account, in PEM format (SEC 1). */
  accountKey: string;
  /**
   * Additional root certificate for the ACME client lego, in PEM format, or `null`. Lego also trusts the public
   * certificate authorities.
   */
  trustedCa: string | null;
  /** Code of the DNS provider in the ACME client lego, for example `cloudflare`. */
  provider: string;
  /** Environment variables with the credentials for the DNS provider. */
  credentials: Record<string, string>;
  checkPropagation: boolean;
  /**
   * DNS server that the ACME client lego queries, as `address:port`. `null` means the server's configured DNS servers.
   */
  resolver: string | null;
}

/**
 * Error if the ACME client lego could not run or returned no certificate. Users see the error message, so the message
 * contains no output of lego.
 */
export class LegoFailed extends Error {
  override name = 'LegoFailed';
}

/**
 * Error for a certificate order that the certificate authority or the DNS provider refused. The message contains lego's
 * output without credentials and is only for the log.
 */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused';
  /** ACME error type from RFC 8555 without its prefix, for example `rateLimited`. `null` if the type is unknown. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

export interface Lego {
  /**
   * Returns the codes of the DNS providers that the ACME client lego supports.
   * @throws LegoFailed, RecordsRefused
   */
  providers(): Promise<readonly string[]>;
  /**
   * Deletes files and containers of lego that remain after the daemon was killed. If Docker does not respond, the next
   * certificate order removes the containers.
   */
  tidy(): Promise<void>;
  /**
   * Orders a TLS certificate.
   * @returns certificate chain and private key in PEM format
   * @throws LegoFailed, RecordsRefused
   */
  obtain(order: LegoOrder, signal: AbortSignal): Promise<{ chain: string; key: string }>;
}
