import { z } from 'zod';
import { CERTIFICATE_PROBLEM_CODES } from '../certificate-problem.ts';
import { Timestamp } from './common.ts';

const ProblemCode = z
  .enum(CERTIFICATE_PROBLEM_CODES)
  .nullable()
  .describe('Code of `problem`; `null` if there is none, or if an earlier version of Davit recorded it.');

/**
 * `none`: none is wanted, or none can be had. `waiting`: it will be ordered at `next_try_at`. `ordering`: right now.
 * `active`: it is served. `failed`: it could not be had; it is tried again at `next_try_at`.
 */
export const CERTIFICATE_STATUSES = ['none', 'waiting', 'ordering', 'active', 'failed'] as const;
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

export const DomainCertificate = z
  .object({
    status: z
      .enum(CERTIFICATE_STATUSES)
      .describe(
        '`none`: none is wanted, or none can be had. `waiting`: ordered at `next_try_at`. `ordering`: right now. `active`: served. `failed`: tried again at `next_try_at`.',
      ),
    id: z.int().nullable().describe('The number of the certificate that is served; null: there is none.'),
    not_after: Timestamp.nullable().describe('When what is served expires.'),
    problem: z
      .string()
      .nullable()
      .describe('Why there is no certificate, or why it could not be renewed, and what to do.'),
    problem_code: ProblemCode,
    next_try_at: Timestamp.nullable().describe('When it is tried again.'),
  })
  .meta({ id: 'DomainCertificate', description: 'How it stands with the certificate of one host.' });
export type DomainCertificate = z.infer<typeof DomainCertificate>;

export const CERTIFICATE_KINDS = ['acme', 'custom'] as const;
export type CertificateKind = (typeof CERTIFICATE_KINDS)[number];

export const Certificate = z
  .object({
    id: z.int().describe('Its number in paths; it stays when the certificate is renewed or replaced.'),
    kind: z.enum(CERTIFICATE_KINDS).describe('`acme`: ordered and renewed by the instance. `custom`: uploaded.'),
    hosts: z.array(z.string()).describe('The names in it; `*.` in front stands for one label.'),
    status: z
      .enum(['active', 'expired', 'not_yet_valid'])
      .describe('What its dates say. One that expired is presented for as long as there is no other.'),
    issuer: z.string().describe('The name of who signed it.'),
    serial: z.string().describe('In hexadecimal.'),
    fingerprint: z.string().describe('SHA-256 of the certificate, in lower-case hexadecimal.'),
    not_before: Timestamp,
    not_after: Timestamp,
    renews_at: Timestamp.nullable().describe('When a new one is ordered; null: never, it was uploaded or is not used.'),
    used_by: z
      .array(z.string())
      .describe(
        'The apps whose hosts it is presented for, as references; `instance` and `registry` for the platform’s own.',
      ),
    problem: z.string().nullable().describe('Why it could not be renewed, in a sentence.'),
    problem_code: ProblemCode,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Certificate', description: 'A certificate. Its key is kept sealed and never answered.' });
export type Certificate = z.infer<typeof Certificate>;

/** A chain of ten large certificates is far below it. */
const PEM_LENGTH = 256 * 1024;

export const CertificateUpload = z
  .strictObject({
    certificate: z
      .string()
      .min(1)
      .max(PEM_LENGTH)
      .describe('PEM: the certificate and the intermediates that it needs; the order is put right.'),
    key: z.string().min(1).max(PEM_LENGTH).describe('PEM: its private key, without a passphrase. Never answered.'),
  })
  .meta({ id: 'CertificateUpload' });
export type CertificateUpload = z.infer<typeof CertificateUpload>;

export const LIMIT_KINDS = ['orders', 'certificates_per_domain', 'duplicates', 'failed_validations'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

export const AuthorityLimit = z
  .object({
    limit: z.enum(LIMIT_KINDS),
    subject: z.string().nullable().describe('The domain or host that it is counted for; null: the whole account.'),
    used: z.int(),
    most: z.int(),
    window_s: z.int().describe('Over how many seconds it is counted.'),
    frees_at: Timestamp.nullable().describe('When the next one falls out of the window; null: nothing is used.'),
  })
  .meta({ id: 'AuthorityLimit' });
export type AuthorityLimit = z.infer<typeof AuthorityLimit>;

export const Authority = z
  .object({
    directory: z.string().describe('The address of its ACME directory, from the settings.'),
    name: z.string(),
    public: z.boolean().describe('Browsers trust it, so it gives nothing for local names.'),
    email: z.string().nullable().describe('The contact, from the settings; null: nothing is ordered.'),
    account: z.string().nullable().describe('The address of the account there; null: there is none yet.'),
    external_account: z.string().nullable().describe('The key id of the account that ours is bound to.'),
    problem: z.string().nullable().describe('Why nothing is ordered right now, in a sentence.'),
    problem_code: ProblemCode,
    paused_until: Timestamp.nullable().describe('Nothing is ordered before.'),
    limits: z
      .array(AuthorityLimit)
      .describe('What it allows and what is used of it, as counted here; empty where its limits are not known.'),
  })
  .meta({ id: 'Authority', description: 'Who certificates are ordered from, and how far that may go.' });
export type Authority = z.infer<typeof Authority>;

export const ExternalAccount = z
  .strictObject({
    kid: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII')
      .describe('The key id.'),
    hmac_key: z
      .string()
      .min(1)
      .max(1_000)
      .regex(/^[A-Za-z0-9_-]+=*$/, 'must be the key in base64url, as the authority gave it')
      .describe('The key in base64url, as the authority gave it. Kept sealed and never answered.'),
  })
  .meta({ id: 'ExternalAccount', description: 'The account at the authority’s own site that ours is bound to.' });
export type ExternalAccount = z.infer<typeof ExternalAccount>;
