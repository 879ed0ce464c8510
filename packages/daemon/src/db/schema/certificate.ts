import type { CertificateKind, CertificateProblemCode } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** SQLite tables for TLS certificates, ACME accounts, ACME orders and DNS providers. */
export const CERTIFICATE_TABLES = {
  /**
   * ACME accounts of this instance. Each certificate authority has a separate account. Times are in milliseconds since
   * the epoch.
   */
  acme_accounts: {
    /** URL of the certificate authority's ACME directory. */
    directory: text(),
    /** Private key of the ACME account, encrypted. */
    key: text(),
    /** URL of the ACME account, or `null` before the account is registered. */
    url: nullable(text()),
    /** Contact e-mail address of the ACME account. */
    email: nullable(text()),
    /**
     * Number of consecutive failed requests to the certificate authority. A request fails if there is no response, or
     * if the rate limit is exceeded.
     */
    failures: withDefault(integer()),
    problem: nullable(text()),
    /**
     * Machine-readable code of the error in `problem`. `null` if there is no error, or if an earlier Davit version
     * recorded the error.
     */
    problem_code: nullable(text<CertificateProblemCode>()),
    /**
     * Time until which the daemon sends no requests to this certificate authority, for example because of a rate limit.
     */
    paused_until: nullable(integer()),
  },

  /** External account bindings (EAB). Some certificate authorities require an EAB to create an ACME account. */
  acme_bindings: {
    directory: text(),
    kid: text(),
    /**
     * HMAC key that the user got from the certificate authority, encrypted. The key connects the ACME account with the
     * user's account at this certificate authority.
     */
    hmac_key: text(),
  },

  acme_challenges: {
    token: text(),
    answer: text(),
  },

  /** TLS certificates. Times are in milliseconds since the epoch. */
  certificates: {
    id: rowId(),
    kind: text<CertificateKind>(),
    /** URL of the ACME directory of the issuing certificate authority, or `null` for an uploaded certificate. */
    directory: nullable(text()),
    /** Host names of the certificate, as a JSON array. */
    hosts: text(),
    /** Certificate and intermediate certificates, in PEM format. */
    chain: text(),
    /** Private key of the certificate in PEM format, encrypted. */
    key: text(),
    issuer: text(),
    serial: text(),
    fingerprint: text(),
    not_before: integer(),
    not_after: integer(),
    created_at: integer(),
    updated_at: integer(),
  },

  certificate_hosts: {
    host: text(),
    certificate_id: integer(),
  },

  /** Status of the certificate orders for each host name. Times are in milliseconds since the epoch. */
  certificate_names: {
    /** Host name or wildcard name, such as `example.com` or `*.example.com`. */
    name: text(),
    status: text<'idle' | 'ordering' | 'failed' | 'waiting'>(),
    /** Number of consecutive failed certificate orders for this name. */
    failures: withDefault(integer()),
    problem: nullable(text()),
    /**
     * Machine-readable code of the error in `problem`. `null` if there is no error, or if an earlier Davit version
     * recorded the error.
     */
    problem_code: nullable(text<CertificateProblemCode>()),
    next_try_at: nullable(integer()),
    /** 1 if a user requested a new certificate for this name. */
    renew: withDefault(integer()),
    /**
     * Time since when the name needs a certificate. The default host name of an app needs a certificate from the first
     * request. Other names need a certificate as soon as their DNS records point to this server.
     */
    asked_at: nullable(integer()),
  },

  /**
   * Past and running certificate orders. The daemon counts these rows to stay within the rate limits of certificate
   * authorities.
   */
  certificate_orders: {
    id: rowId(),
    directory: text(),
    name: text(),
    /** 1 if the certificate order renews an existing certificate of the same name. */
    renewal: integer(),
    outcome: text<'running' | 'issued' | 'interrupted' | 'invalid' | 'refused' | 'unreached'>(),
    problem: nullable(text()),
    started_at: integer(),
    finished_at: nullable(integer()),
    /** Slug of the project to which the host belongs, or `null` for a host of the Davit instance itself. */
    project: nullable(text()),
  },

  dns_providers: {
    id: rowId(),
    name: text(),
    /** Name of the DNS provider in lego, the ACME client. */
    provider: text(),
    /**
     * Credentials for the DNS provider, as encrypted JSON. The JSON contains environment variables for the ACME client
     * lego.
     */
    credentials: text(),
    /** Names of the environment variables in `credentials`, as a JSON array. */
    variables: text(),
    /** Domains whose DNS records Davit can change at this DNS provider, as a JSON array. */
    domains: text(),
    check_propagation: integer(),
    created_at: integer(),
    updated_at: integer(),
  },
};
