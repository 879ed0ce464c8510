/**
 * Map from section of the help page `docs/how-to/solve-common-problems.md` to the error codes that it explains. A test
 * checks that all sections exist.
 */

import type { ErrorCode, FieldCode } from './errors.ts';
import type { CertificateProblemCode } from './problems/certificate.ts';
import type { DeploymentProblemCode } from './problems/work.ts';

export const HELP_PAGE = 'solve-common-problems';

/**
 * Error code that can have a help section. The code belongs to an API error, a request field, a failed deployment or a
 * certificate.
 */
export type HelpCode = ErrorCode | FieldCode | DeploymentProblemCode | CertificateProblemCode;

// This map has its own file, so that the first JavaScript file of the dashboard stays small.
export const HELP_SECTIONS: Readonly<Record<string, readonly HelpCode[]>> = {
  'wrong-api-key-or-password': ['unauthorized'],
  'missing-permission': ['forbidden'],
  'name-or-host-taken': ['taken'],
  'quota-exceeded': ['quota_exceeded'],
  'disk-full': ['disk_full', 'storage_unavailable'],
  'image-not-found': ['image_not_found', 'registry_unauthorized'],
  'wrong-port': ['port_closed'],
  'health-check-failed': ['health_check_failed'],
  'memory-limit-exceeded': ['memory_limit_exceeded'],
  'host-does-not-point-to-the-server': [
    'dns_no_address',
    'validation_unreachable',
    'validation_elsewhere',
    'validation_failed',
    'validation_tls',
  ],
  'certificate-refused': [
    'authority_limit',
    'authority_rate_limited',
    'caa_record',
    'contact_missing',
    'contact_refused',
    'name_not_public',
    'name_refused',
    'order_refused',
    'validation_not_offered',
  ],
};

const SECTION_OF = new Map<string, string>(
  Object.entries(HELP_SECTIONS).flatMap(([section, codes]) => codes.map((code) => [code, section] as const)),
);

/**
 * Returns the path of a help section, such as `/help/solve-common-problems#wrong-port`. The first error code that has a
 * help section determines the path. Returns `null` if no code has a help section.
 */
export function helpPath(...codes: readonly (string | null | undefined)[]): string | null {
  const section = codes.map((code) => SECTION_OF.get(code ?? '')).find((one) => one !== undefined);
  return section === undefined ? null : `/help/${HELP_PAGE}#${section}`;
}

/**
 * Returns whether a text is the path of a help section. In an error response, the field `type` can contain such a path.
 */
export function isHelpPath(text: unknown): text is string {
  return typeof text === 'string' && /^\/help\/[a-z0-9-]+#[a-z0-9-]+$/.test(text);
}
