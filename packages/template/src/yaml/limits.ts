/**
 * Limits for a template file. They are checked for each token, so that a file is rejected fast. Usual template files
 * have at most eight levels and some hundred values.
 */
export const LIMITS = {
  /** Maximum size of a template file in bytes (UTF-8). */
  bytes: 1024 * 1024,
  lines: 20_000,
  /** Maximum length of one value in characters. Linux does not allow longer environment variables. */
  text: 128 * 1024,
  /** Maximum number of `${` in a template file. Each reference starts with `${`. */
  references: 5_000,
  /** Maximum nesting depth of lists and mappings. */
  depth: 64,
  /** Maximum number of keys and values in a template file. */
  nodes: 6_000,
  /** Maximum number of YAML tokens in a template file. Indentation, comments and line breaks are also tokens. */
  tokens: 25_000,
  /**
   * Maximum number of lines before the YAML document that start with `%` (directives). YAML defines only two
   * directives.
   */
  directives: 8,
  /** Maximum number of listed problems per group. Further problems are only counted. */
  problems: 200,
};
