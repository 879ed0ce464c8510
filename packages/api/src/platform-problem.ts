import type { ProblemKind } from './problem-kind.ts';

/** Closed list of reasons why a check or an update of the platform images changed nothing. */
export const PLATFORM_PROBLEMS = {
  no_package_manager: {
    meaning: 'The server has no package manager that Davit can use.',
    action: 'Run Davit on Debian, or set the images yourself.',
  },
  repository_unavailable: {
    meaning: 'The package repositories cannot be reached, or a signature is not valid.',
    action: 'Check the network and the package sources of the server.',
  },
  packages_unavailable: {
    meaning: 'The package repositories do not have a package that an image needs.',
    action: 'Check the package sources of the server.',
  },
  packages_older: {
    meaning: 'The package repositories have an older version than the server.',
    action: 'Wait until the mirror is up to date, or choose another one.',
  },
  build_failed: {
    meaning: 'An image could not be built.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Reasons that other parts of the instance also use. */
const SHARED = ['disk_full', 'engine_unavailable'] as const;

export type PlatformProblemCode = keyof typeof PLATFORM_PROBLEMS | (typeof SHARED)[number];

const OWN = Object.keys(PLATFORM_PROBLEMS) as (keyof typeof PLATFORM_PROBLEMS)[];

export const PLATFORM_PROBLEM_CODES = [...SHARED, ...OWN] as const;
