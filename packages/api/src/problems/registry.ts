import type { ProblemKind } from './problem-kind.ts';

/** All reasons why the instance's own container registry does not work. */
export const REGISTRY_PROBLEMS = {
  registry_starting: {
    meaning: 'The registry of the instance is starting.',
    action: 'Try again in a moment.',
  },
  registry_not_serving: {
    meaning: 'The container of the registry was started but does not respond.',
    action: 'Find the reason in the log of the registry container.',
  },
  registry_not_replaced: {
    meaning: 'The registry runs with its previous image or configuration, because the new one does not work.',
    action: 'Find the reason in the error message or in the log of the instance.',
  },
  registry_not_started: {
    meaning: 'The container of the registry cannot be started.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

/** General error codes that Davit also uses for problems of the instance's own container registry. */
const SHARED = ['port_taken', 'disk_full', 'engine_unavailable'] as const;

export type RegistryProblemCode = keyof typeof REGISTRY_PROBLEMS | (typeof SHARED)[number];

const OWN = Object.keys(REGISTRY_PROBLEMS) as (keyof typeof REGISTRY_PROBLEMS)[];

export const REGISTRY_PROBLEM_CODES = [...SHARED, ...OWN] as const;
