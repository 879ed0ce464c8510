/** How many templates a page of the listing may have. */
export const LIMIT = { least: 1, most: 48, usual: 24 } as const;

/** The longest search, in code points and without the space around it. */
export const LONGEST_SEARCH = 100;

export const SORTS = ['recent', 'stars'] as const;

/** The largest template that is read or checked. */
export const TEMPLATE_BYTES = 256 * 1024;

/** Media types under which a template is sent to be checked. */
export const TEMPLATE_TYPES = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  'application/octet-stream',
] as const;
