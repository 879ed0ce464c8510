import type { CertificateKind, CertificateProblemCode } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** Tables for certificates and their orders. */
export const CERTIFICATE_TABLES = {
  /** Accounts at certificate authorities. Times are milliseconds since the epoch. */
  acme_accounts: {
    /** URL of the directory of the certificate authority. */
    directory: text(),
    /** Encrypted key of the account. */
    key: text(),
    /** URL of the account, or `null` until the account is registered. */
    url: nullable(text()),
    /** Contact address that the authority has on record. */
    email: nullable(text()),
    /** Number of consecutive failures: the authority was unreachable, or it limited the request rate. */
    failures: withDefault(integer()),
    problem: nullable(text()),
    /** Code of the problem. `null` if there is no problem, or if an earlier Davit version recorded the problem. */
    problem_code: nullable(text<CertificateProblemCode>()),
    /** Time before which the daemon sends no request to this authority. */
    paused_until: nullable(integer()),
  },

  /** External account bindings (EAB) that authorities require. */
  acme_bindings: {
    directory: text(),
    kid: text(),
    /** Encrypted HMAC key. */
    hmac_key: text(),
  },

  acme_challenges: {
    token: text(),
    answer: text(),
  },

  /** Certificates. Times are milliseconds since the epoch. */
  certificates: {
    id: rowId(),
    kind: text<CertificateKind>(),
    /** Directory of the certificate authority, or `null` for an uploaded certificate. */
    directory: nullable(text()),
    /** JSON array of host names. */
    hosts: text(),
    /** Certificate chain in PEM. */
    chain: text(),
    /** Encrypted private key in PEM. */
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

  /** State of the certificate order for each name. Times are milliseconds since the epoch. */
  certificate_names: {
    /** Host name, or `*.` followed by a host name. */
    name: text(),
    status: text<'idle' | 'ordering' | 'failed' | 'waiting'>(),
    /** Number of consecutive failures. */
    failures: withDefault(integer()),
    problem: nullable(text()),
    /** Code of the problem. `null` if there is no problem, or if an earlier Davit version recorded the problem. */
    problem_code: nullable(text<CertificateProblemCode>()),
    next_try_at: nullable(integer()),
    /** 1 if a user requested a new certificate. */
    renew: withDefault(integer()),
    /**
     * Time at which the first request for a default host arrived, or at which the host first resolved to this server.
     */
    asked_at: nullable(integer()),
  },

  /** Orders, which the daemon counts for rate limits. */
  certificate_orders: {
    id: rowId(),
    directory: text(),
    name: text(),
    /** 1 if the name already had a certificate. */
    renewal: integer(),
    outcome: text<'running' | 'issued' | 'interrupted' | 'invalid' | 'refused' | 'unreached'>(),
    problem: nullable(text()),
    started_at: integer(),
    finished_at: nullable(integer()),
    /** Slug of the project, or `null` for a host of the instance. */
    project: nullable(text()),
  },

  dns_providers: {
    id: rowId(),
    name: text(),
    /** Code of the DNS provider in lego. */
    provider: text(),
    /** Encrypted JSON of the variables. */
    credentials: text(),
    /** JSON array of the names of the variables. */
    variables: text(),
    /** JSON array of domains. */
    domains: text(),
    check_propagation: integer(),
    created_at: integer(),
    updated_at: integer(),
  },
};
