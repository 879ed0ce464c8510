/**
 * Limits for a template file, checked with each token, so that rejections are fast. Real files have at most eight
 * levels and some hundred values.
 */
export const LIMITS = {
  /** Maximum size of a template file in bytes (UTF-8). */
  bytes: 1024 * 1024,
  lines: 20_000,
  /** Maximum length of one value, in characters. An environment variable of a Linux process cannot be longer. */
  text: 128 * 1024,
  /** Maximum number of `${` in a template file. Each reference begins with `${`. */
  references: 5_000,
  /** Maximum number of levels of nested lists and mappings. */
  depth: 64,
  /** Maximum number of keys and values in a template file. */
  nodes: 6_000,
  /** Maximum number of YAML tokens in a template file. They include indentation, comments and line ends. */
  tokens: 25_000,
  /**
   * Maximum number of lines before the YAML document that begin with `%` (directives). YAML defines only two
   * directives.
   */
  directives: 8,
  /** Maximum number of problems per group that the check lists. Further problems are only counted. */
  problems: 200,
};
