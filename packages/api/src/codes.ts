/**
 * All error codes of Davit. A code has the same meaning in all parts of Davit. Codes with a dot come from template
 * checks in `packages/template/src/codes`.
 */

import { ERRORS } from './errors.ts';
import { CERTIFICATE_PROBLEMS } from './problems/certificate.ts';
import { CHECK_PROBLEMS } from './problems/check.ts';
import { ENGINE_PROBLEMS } from './problems/engine.ts';
import { IMAGE_PROBLEMS } from './problems/image.ts';
import { PLATFORM_PROBLEMS } from './problems/platform.ts';
import type { ProblemKind } from './problems/problem-kind.ts';
import { REGISTRY_PROBLEMS } from './problems/registry.ts';
import { TEMPLATE_PROBLEMS } from './problems/template.ts';

export interface CodeGroup {
  title: string;
  /** One or two sentences that introduce this group of error codes in the error reference. */
  about: string;
  codes: Record<string, ProblemKind & { status?: number; retryable?: boolean }>;
}

export const CODE_GROUPS: readonly CodeGroup[] = [
  {
    title: 'Refused requests',
    about: 'If the API refuses a request, the error has one of these codes.',
    codes: ERRORS,
  },
  {
    title: 'Images',
    about:
      'If a deployment or task fails because of an image or a registry, the `error_code` field of the deployment or task has one of these codes.',
    codes: IMAGE_PROBLEMS,
  },
  {
    title: 'Engine',
    about:
      'Deployments, tasks and command runs can fail because Docker refuses an operation. The `error_code` field of the failed deployment, task or command run then has one of these codes.',
    codes: ENGINE_PROBLEMS,
  },
  {
    title: 'Health checks',
    about:
      'If the new replicas of a deployment start but do not become ready, the `error_code` field of the deployment has one of these codes. If the new replicas exceed the quota of the project, the `error_code` field has the code `quota_exceeded`.',
    codes: CHECK_PROBLEMS,
  },
  {
    title: 'Certificates',
    about:
      'If Davit cannot request or renew a certificate, the `problem_code` field of the certificate or certificate authority has one of these codes.',
    codes: CERTIFICATE_PROBLEMS,
  },
  {
    title: 'Registry of the instance',
    about:
      'If the registry of the instance has a problem, its `problem_code` field is `port_taken`, `disk_full`, `engine_unavailable` or one of the codes in the next table.',
    codes: REGISTRY_PROBLEMS,
  },
  {
    title: 'Platform images',
    about:
      'Platform images are the images of the proxy, registry, DNS resolver and databases. If Davit cannot check these images for security updates, the API shows an error code in the field `failure.code` of the update check. The error code is `disk_full`, `engine_unavailable` or one of the codes in the next table.',
    codes: PLATFORM_PROBLEMS,
  },
  {
    title: 'Templates that cannot be installed',
    about:
      'If the instance cannot install a valid template, the `problem_code` field of the API response has one of these codes.',
    codes: TEMPLATE_PROBLEMS,
  },
];
