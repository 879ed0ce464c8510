import type { CertificateKind, CertificateProblemCode } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** Certificates and how they are ordered. */
export const CERTIFICATE_TABLES = {
  /** Accounts at certificate authorities. Times are milliseconds since the epoch. */
  acme_accounts: {
    /** URL of the directory of the authority. */
    directory: text(),
    /** Sealed. */
    key: text(),
    /** `null` until the account is registered. */
    url: nullable(text()),
    /** Contact that the authority has. */
    email: nullable(text()),
    /** Consecutive failures of the authority: unreachable, or rate-limited. */
    failures: withDefault(integer()),
    problem: nullable(text()),
    /** Code of the problem. `null` also for a problem of an earlier version. */
    problem_code: nullable(text<CertificateProblemCode>()),
    /** No request is sent before this time. */
    paused_until: nullable(integer()),
  },

  /** External accounts that authorities require (EAB). */
  acme_bindings: {
    directory: text(),
    kid: text(),
    /** Sealed. */
    hmac_key: text(),
  },

  acme_challenges: {
    token: text(),
    answer: text(),
  },

  /** Times are milliseconds since the epoch. */
  certificates: {
    id: rowId(),
    kind: text<CertificateKind>(),
    /** Directory of the authority, or `null` for an uploaded certificate. */
    directory: nullable(text()),
    /** JSON array. */
    hosts: text(),
    /** PEM. */
    chain: text(),
    /** Sealed PEM. */
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

  /** State of the order for each name. Times are milliseconds since the epoch. */
  certificate_names: {
    /** A host, or `*.` followed by a host. */
    name: text(),
    status: text<'idle' | 'ordering' | 'failed' | 'waiting'>(),
    /** Consecutive failures. */
    failures: withDefault(integer()),
    problem: nullable(text()),
    /** Code of the problem. `null` also for a problem of an earlier version. */
    problem_code: nullable(text<CertificateProblemCode>()),
    next_try_at: nullable(integer()),
    /** 1: a new certificate was requested. */
    renew: withDefault(integer()),
    /** When a default host was first requested, or first resolved to this server. */
    asked_at: nullable(integer()),
  },

  /** Orders, from which rate limits are computed. */
  certificate_orders: {
    id: rowId(),
    directory: text(),
    name: text(),
    /** 1: the name already had a certificate. */
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
    /** Code of the provider in lego. */
    provider: text(),
    /** Sealed JSON of the variables. */
    credentials: text(),
    /** JSON array of the names of the variables. */
    variables: text(),
    /** JSON array. */
    domains: text(),
    check_propagation: integer(),
    created_at: integer(),
    updated_at: integer(),
  },
};
