import { z } from 'zod';
import { CERTIFICATE_PROBLEM_CODES } from '../problems/certificate.ts';
import { Timestamp } from './common.ts';

const ProblemCode = z
  .enum(CERTIFICATE_PROBLEM_CODES)
  .nullable()
  .describe(
    'Error code for the problem in the field `problem`. `null` if there is no problem, or if an earlier version of Davit recorded the problem without a code.',
  );

/** Statuses of a domain's certificate. The field `status` of `DomainCertificate` describes each status. */
export const CERTIFICATE_STATUSES = ['none', 'waiting', 'ordering', 'active', 'failed'] as const;
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

export const DomainCertificate = z
  .object({
    status: z
      .enum(CERTIFICATE_STATUSES)
      .describe(
        'Status of the certificate. `none`: no certificate is needed or possible. `waiting`: Davit requests the certificate at `next_try_at`. `ordering`: the request is in progress. `active`: the proxy uses the certificate. `failed`: the request failed, and Davit tries again at `next_try_at`.',
      ),
    id: z.int().nullable().describe('ID of the certificate that the proxy uses. `null` if there is no certificate.'),
    not_after: Timestamp.nullable().describe(
      'Time when the certificate in use expires. `null` if there is no certificate.',
    ),
    problem: z
      .string()
      .nullable()
      .describe(
        'Reason why the certificate is missing or could not be renewed, and what to do. `null` if there is no problem.',
      ),
    problem_code: ProblemCode,
    next_try_at: Timestamp.nullable().describe(
      'Time when Davit next requests a certificate for the host. `null` if no request is planned.',
    ),
  })
  .meta({ id: 'DomainCertificate', description: 'State of the certificate of one host.' });
export type DomainCertificate = z.infer<typeof DomainCertificate>;

export const CERTIFICATE_KINDS = ['acme', 'custom'] as const;
export type CertificateKind = (typeof CERTIFICATE_KINDS)[number];

export const Certificate = z
  .object({
    id: z.int().describe('ID of the certificate. The ID does not change when the certificate is renewed or replaced.'),
    kind: z
      .enum(CERTIFICATE_KINDS)
      .describe(
        'Kind of certificate. `acme`: Davit requests and renews the certificate. `custom`: a user uploaded the certificate.',
      ),
    hosts: z
      .array(z.string())
      .describe(
        'Host names in the certificate. A wildcard such as `*.example.com` covers `shop.example.com`, but not `example.com` or `eu.shop.example.com`.',
      ),
    status: z
      .enum(['active', 'expired', 'not_yet_valid'])
      .describe(
        'Status of the certificate. `not_yet_valid`: the validity period begins in the future. `expired`: the validity period is over. The proxy uses an expired certificate until Davit has a new one.',
      ),
    issuer: z.string().describe('Name of the issuer of the certificate.'),
    serial: z.string().describe('Serial number of the certificate in hexadecimal.'),
    fingerprint: z.string().describe('SHA-256 fingerprint of the certificate in lower-case hexadecimal.'),
    not_before: Timestamp,
    not_after: Timestamp,
    renews_at: Timestamp.nullable().describe(
      'Time when Davit will renew the certificate. `null` if the certificate was uploaded or is not in use.',
    ),
    used_by: z
      .array(z.string())
      .describe(
        'What uses the certificate: addresses of apps (`project/environment/app`), `instance` for the dashboard and the API, or `registry` for the registry.',
      ),
    problem: z
      .string()
      .nullable()
      .describe('Reason why the certificate could not be renewed, in one sentence. `null` if there is no problem.'),
    problem_code: ProblemCode,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Certificate',
    description: 'TLS certificate. Davit stores the private key encrypted. No response contains the private key.',
  });
export type Certificate = z.infer<typeof Certificate>;

/**
 * Maximum length of an uploaded certificate chain or key in PEM format. A chain of ten large certificates is much
 * shorter.
 */
const PEM_LENGTH = 256 * 1024;

export const CertificateUpload = z
  .strictObject({
    certificate: z
      .string()
      .min(1)
      .max(PEM_LENGTH)
      .describe('Certificate and intermediate certificates in PEM format, in any order.'),
    key: z
      .string()
      .min(1)
      .max(PEM_LENGTH)
      .describe('Private key in PEM format, without a passphrase. No response contains the private key.'),
  })
  .meta({ id: 'CertificateUpload' });
export type CertificateUpload = z.infer<typeof CertificateUpload>;

export const LIMIT_KINDS = ['orders', 'certificates_per_domain', 'duplicates', 'failed_validations'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

export const AuthorityLimit = z
  .object({
    limit: z.enum(LIMIT_KINDS),
    subject: z
      .string()
      .nullable()
      .describe(
        'Domain or host that the rate limit applies to. `null` if the rate limit applies to the whole account.',
      ),
    used: z.int(),
    most: z.int(),
    window_s: z.int().describe('Length of the time window of the rate limit, in seconds.'),
    frees_at: Timestamp.nullable().describe(
      'Time when the oldest counted request leaves the time window of the rate limit, so that `used` decreases. `null` if `used` is 0.',
    ),
  })
  .meta({ id: 'AuthorityLimit' });
export type AuthorityLimit = z.infer<typeof AuthorityLimit>;

export const Authority = z
  .object({
    directory: z.string().describe('URL of the ACME directory, from the setting `acme.directory`.'),
    name: z.string(),
    public: z
      .boolean()
      .describe(
        'Whether this is a public certificate authority, such as Let’s Encrypt. A public certificate authority issues no certificates for local host names, such as `shop.local`.',
      ),
    email: z
      .string()
      .nullable()
      .describe('Contact address, from the setting `acme.email`. `null`: Davit requests no certificates.'),
    account: z
      .string()
      .nullable()
      .describe('URL of the ACME account at the certificate authority. `null` if the account does not exist yet.'),
    external_account: z
      .string()
      .nullable()
      .describe(
        'Key ID of your account at the certificate authority (external account binding, EAB). `null` if no account is connected.',
      ),
    problem: z
      .string()
      .nullable()
      .describe('Reason why Davit currently requests no certificates, in one sentence. `null` if there is no problem.'),
    problem_code: ProblemCode,
    paused_until: Timestamp.nullable().describe(
      'Time until which Davit requests no certificates. `null` if requests are not paused.',
    ),
    limits: z
      .array(AuthorityLimit)
      .describe(
        'Rate limits of the certificate authority, and how much of each limit this instance has used. Empty if the limits are not known.',
      ),
  })
  .meta({ id: 'Authority', description: 'Certificate authority with its account and rate limits.' });
export type Authority = z.infer<typeof Authority>;

export const ExternalAccount = z
  .strictObject({
    kid: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, 'must contain only printable ASCII characters')
      .describe('Key ID of your account, as the certificate authority issued it for external account binding (EAB).'),
    hmac_key: z
      .string()
      .min(1)
      .max(1_000)
      .regex(/^[A-Za-z0-9_-]+=*$/, 'must be the key in base64url, as the certificate authority issued it')
      .describe(
        'HMAC key in base64url, as the certificate authority issued it. Davit stores the key encrypted. No response contains the key.',
      ),
  })
  .meta({
    id: 'ExternalAccount',
    description:
      'Credentials of your account at the certificate authority. Davit connects its ACME account to this account (external account binding, EAB).',
  });
export type ExternalAccount = z.infer<typeof ExternalAccount>;
