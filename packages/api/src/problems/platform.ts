import type { ProblemKind } from './problem-kind.ts';

/**
 * All reasons why Davit could not check or update its platform images: the images of the proxy, the registry and the
 * DNS resolver.
 */
export const PLATFORM_PROBLEMS = {
  no_package_manager: {
    meaning: 'The server has no package manager that Davit can use.',
    action: 'Run Davit on Debian, or set `DAVIT_PROXY_IMAGE` and `DAVIT_REGISTRY_IMAGE` to your own images.',
  },
  repository_unavailable: {
    meaning: 'The server cannot reach the package repositories, or a signature of a repository is not valid.',
    action: 'Check the network and the package sources of the server.',
  },
  packages_unavailable: {
    meaning: 'An image needs a package that the package repositories do not have.',
    action: 'Check the package sources of the server.',
  },
  packages_older: {
    meaning: 'A package repository has an older version of a package than the one on the server.',
    action: 'Wait until the package mirror is up to date, or choose another mirror.',
  },
  build_failed: {
    meaning: 'The server could not build a platform image.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

/** General error codes that can also occur when Davit checks or updates its platform images. */
const SHARED = ['disk_full', 'engine_unavailable'] as const;

export type PlatformProblemCode = keyof typeof PLATFORM_PROBLEMS | (typeof SHARED)[number];

const OWN = Object.keys(PLATFORM_PROBLEMS) as (keyof typeof PLATFORM_PROBLEMS)[];

export const PLATFORM_PROBLEM_CODES = [...SHARED, ...OWN] as const;
