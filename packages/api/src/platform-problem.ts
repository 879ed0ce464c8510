import type { ProblemKind } from './problem-kind.ts';

/** All reasons why a check or an update of the platform images failed. */
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
    meaning: 'A package repository has an older package version than the server.',
    action: 'Wait until the package mirror is up to date, or choose another mirror.',
  },
  build_failed: {
    meaning: 'An image could not be built.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

/** General error codes from other tables that can also occur with platform images. */
const SHARED = ['disk_full', 'engine_unavailable'] as const;

export type PlatformProblemCode = keyof typeof PLATFORM_PROBLEMS | (typeof SHARED)[number];

const OWN = Object.keys(PLATFORM_PROBLEMS) as (keyof typeof PLATFORM_PROBLEMS)[];

export const PLATFORM_PROBLEM_CODES = [...SHARED, ...OWN] as const;
