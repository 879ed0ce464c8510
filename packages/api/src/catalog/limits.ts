/** Minimum, maximum and default number of templates on a page of the listing. */
export const LIMIT = { least: 1, most: 48, usual: 24 } as const;

/** Maximum length of a search in code points, without surrounding spaces. */
export const LONGEST_SEARCH = 100;

export const SORTS = ['recent', 'stars'] as const;

/** Maximum size of a template in bytes. */
export const TEMPLATE_BYTES = 256 * 1024;

/** Media types of a template that is sent for a check. */
export const TEMPLATE_TYPES = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  'application/octet-stream',
] as const;
