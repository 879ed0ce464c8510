/**
 * All error codes for refused requests and failed deployments, tasks and checks. The error reference lists these codes.
 * A code has the same meaning everywhere. Codes that contain a dot come from template checks in
 * `packages/template/src/codes`.
 */
import { CERTIFICATE_PROBLEMS } from './certificate-problem.ts';
import { ENGINE_PROBLEMS } from './engine-problem.ts';
import { ERRORS } from './errors.ts';
import { IMAGE_PROBLEMS } from './image-problem.ts';
import { PLATFORM_PROBLEMS } from './platform-problem.ts';
import type { ProblemKind } from './problem-kind.ts';
import { REGISTRY_PROBLEMS } from './registry-problem.ts';
import { TEMPLATE_PROBLEMS } from './template-problem.ts';

export interface CodeGroup {
  title: string;
  /** Description of where the API uses the codes of this group, in one or two sentences. */
  about: string;
  codes: Record<string, ProblemKind & { status?: number; retryable?: boolean }>;
}

export const CODE_GROUPS: readonly CodeGroup[] = [
  { title: 'Refused requests', about: 'The API refuses a request with one of these codes.', codes: ERRORS },
  {
    title: 'Images',
    about:
      'Deployments and tasks that fail because of an image or its registry have one of these codes as `error_code`.',
    codes: IMAGE_PROBLEMS,
  },
  {
    title: 'Engine',
    about:
      'Deployments, tasks and runs that fail because Docker refuses an operation have one of these codes as `error_code`.',
    codes: ENGINE_PROBLEMS,
  },
  {
    title: 'Certificates',
    about: 'Certificates of domains and the certificate authority have one of these codes as `problem_code`.',
    codes: CERTIFICATE_PROBLEMS,
  },
  {
    title: 'Registry of the instance',
    about:
      'The registry of the instance has one of these codes as `problem_code`. Other possible codes: `port_taken`, `disk_full` and `engine_unavailable`.',
    codes: REGISTRY_PROBLEMS,
  },
  {
    title: 'Platform images',
    about:
      'Platform images are the images of the proxy, registry, DNS resolver and databases. A failed check for security updates has one of these codes as `failure.code`. Other possible codes: `disk_full` and `engine_unavailable`.',
    codes: PLATFORM_PROBLEMS,
  },
  {
    title: 'Templates that cannot be installed',
    about: 'A valid template that the instance cannot install has one of these codes as `problem_code`.',
    codes: TEMPLATE_PROBLEMS,
  },
];
