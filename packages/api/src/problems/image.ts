import type { ProblemKind } from './problem-kind.ts';

/** All reasons why an image cannot be pulled from its registry. */
export const IMAGE_PROBLEMS = {
  image_not_found: {
    meaning: 'The registry has no image with this name.',
    action: 'Check the repository and the tag. If the image is private, store credentials of its registry.',
  },
  registry_unauthorized: {
    meaning:
      'The registry does not allow Davit to pull the image with the stored credentials, or without credentials if none are stored.',
    action: 'Check the name of the image and the stored credentials of the registry.',
  },
  registry_not_public: {
    meaning:
      'The host name of the registry, its token service or a redirect cannot be resolved, or resolves to a private address. The setting `registries.private_hosts` does not allow this address.',
    action: 'Check the host name of the registry, or ask an admin to add the host to `registries.private_hosts`.',
  },
  registry_unreachable: {
    meaning: 'The registry does not respond, or responds with an internal error.',
    action: 'Check the host name of the registry and the network of the server.',
  },
  registry_rate_limited: {
    meaning: 'The registry refused the request because of its rate limit.',
    action: 'Try again later, or store credentials of an account with a higher limit.',
  },
  registry_answer_invalid: {
    meaning:
      'The registry sent a response that does not follow the protocol, or an image that does not match its digest.',
    action: 'Push the image again, or use another registry.',
  },
  image_pull_failed: {
    meaning: 'Docker could not pull or unpack the image. The log of the instance has the reason.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ImageProblemCode = keyof typeof IMAGE_PROBLEMS;

export const IMAGE_PROBLEM_CODES = Object.keys(IMAGE_PROBLEMS) as [ImageProblemCode, ...ImageProblemCode[]];
