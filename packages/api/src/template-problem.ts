import type { ProblemKind } from './problem-kind.ts';

/** Closed list of reasons why a valid template cannot be installed by an instance. */
export const TEMPLATE_PROBLEMS = {
  format_too_new: {
    meaning: 'The template uses a version of the format that this instance does not read.',
    action: 'Update Davit, or choose another release of the template.',
  },
  davit_too_old: {
    meaning: 'The template needs another version of Davit.',
    action: 'Update Davit, or choose another release of the template.',
  },
  built_from_source: {
    meaning: 'An app of the template is built from source, and instances run images.',
    action: 'Choose a template that names an image.',
  },
} as const satisfies Record<string, ProblemKind>;

export type TemplateProblemCode = keyof typeof TEMPLATE_PROBLEMS;

export const TEMPLATE_PROBLEM_CODES = Object.keys(TEMPLATE_PROBLEMS) as [TemplateProblemCode, ...TemplateProblemCode[]];
