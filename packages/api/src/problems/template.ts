import type { ProblemKind } from './problem-kind.ts';

/** All reasons why an instance cannot install a valid template. */
export const TEMPLATE_PROBLEMS = {
  format_too_new: {
    meaning: 'The template uses a format version that this instance does not support.',
    action: 'Update Davit, or choose another release of the template.',
  },
  davit_too_old: {
    meaning: 'The template needs another version of Davit.',
    action: 'Update Davit, or choose another release of the template.',
  },
  built_from_source: {
    meaning:
      'An app of the template has no image and must be built from source. This instance runs only existing images.',
    action: 'Choose a template whose apps have an image.',
  },
} as const satisfies Record<string, ProblemKind>;

export type TemplateProblemCode = keyof typeof TEMPLATE_PROBLEMS;

export const TEMPLATE_PROBLEM_CODES = Object.keys(TEMPLATE_PROBLEMS) as [TemplateProblemCode, ...TemplateProblemCode[]];
