import type { ProblemKind } from './problem-kind.ts';

/** Closed list of reasons why an image cannot be pulled from its registry. */
export const IMAGE_PROBLEMS = {
  image_not_found: {
    meaning: 'The registry has no image of this name.',
    action: 'Check the repository and the tag. Store credentials if the image is private.',
  },
  registry_unauthorized: {
    meaning:
      'The registry does not allow the pull with the stored credentials, or without credentials if none are stored.',
    action: 'Check the name of the image and the stored credentials of the registry.',
  },
  registry_not_public: {
    meaning:
      'The host of the registry cannot be resolved, or it resolves to an address that is not public and is not listed in the setting `registries.private_hosts`. The same applies to the host of its token service and of a redirect.',
    action: 'Check the name of the registry, or ask an admin to add it to `registries.private_hosts`.',
  },
  registry_unreachable: {
    meaning: 'The registry does not respond, or responds with an internal error.',
    action: 'Check the name of the registry and the network of the server.',
  },
  registry_rate_limited: {
    meaning: 'The registry limits the number of requests.',
    action: 'Try again later, or store credentials of an account with a higher limit.',
  },
  registry_answer_invalid: {
    meaning: 'The registry sent a response that does not follow the protocol or does not match its digest.',
    action: 'Push the image again, or use another registry.',
  },
  image_pull_failed: {
    meaning: 'The engine could not pull or unpack the image; the log of the instance has the reason.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ImageProblemCode = keyof typeof IMAGE_PROBLEMS;

export const IMAGE_PROBLEM_CODES = Object.keys(IMAGE_PROBLEMS) as [ImageProblemCode, ...ImageProblemCode[]];
