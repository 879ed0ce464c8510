/** Minimum, maximum and default number of templates per page of the catalog API. */
export const LIMIT = { least: 1, most: 48, usual: 24 } as const;

/** Maximum length of a search text in Unicode code points, without leading and trailing spaces. */
export const LONGEST_SEARCH = 100;

export const SORTS = ['recent', 'stars'] as const;

export const TEMPLATE_BYTES = 256 * 1024;

/** Accepted `Content-Type` values of a template file that is sent for validation. */
export const TEMPLATE_TYPES = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  'application/octet-stream',
] as const;
