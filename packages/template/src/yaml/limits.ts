/**
 * Limits for a template file. Real templates stay far below them, with at most eight levels and a few hundred values.
 * The limits are checked while the file is split into tokens, so rejecting a file takes no longer than reading a valid
 * one.
 */
export const LIMITS = {
  /** Maximum size of a template file in bytes (UTF-8). */
  bytes: 1024 * 1024,
  lines: 20_000,
  /**
   * Maximum length of one value in the template file, in characters. A longer value is useless, because an environment
   * variable of a Linux process cannot be longer.
   */
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
