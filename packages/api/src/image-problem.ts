import type { ProblemKind } from './problem-kind.ts';

/** All reasons why an image cannot be pulled from its registry. */
export const IMAGE_PROBLEMS = {
  image_not_found: {
    meaning: 'The registry has no image with this name.',
    action: 'Check the repository and the tag. If the image is private, store credentials of its registry.',
  },
  registry_unauthorized: {
    meaning: 'The registry refuses the pull. Davit used the stored credentials, or none if no credentials are stored.',
    action: 'Check the name of the image and the stored credentials of the registry.',
  },
  registry_not_public: {
    meaning:
      'The host name of the registry, of its token service or of a redirect cannot be resolved. Or the name resolves to a private address that is not in the setting `registries.private_hosts`.',
    action: 'Check the host name of the registry, or ask an admin to add the host to `registries.private_hosts`.',
  },
  registry_unreachable: {
    meaning: 'The registry does not respond, or responds with an internal error.',
    action: 'Check the host name of the registry and the network of the server.',
  },
  registry_rate_limited: {
    meaning: 'The registry limits the number of requests.',
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
