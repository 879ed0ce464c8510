/**
 * Limits for a template file. Real templates need far less: the format has eight levels, and the largest known template
 * has some hundred values. The limits are checked while the file is split into tokens, so a larger file costs no more
 * time than a valid one.
 */
export const LIMITS = {
  /** Size of the file in bytes (UTF-8). */
  bytes: 1024 * 1024,
  lines: 20_000,
  /** Characters of one value as written. An environment variable of a Linux process cannot be longer. */
  text: 128 * 1024,
  /** Number of `${` in the file. Each reference begins with it. */
  references: 5_000,
  /** Number of levels of nested lists and mappings. */
  depth: 64,
  /** Number of keys and values in the file. */
  nodes: 6_000,
  /** Number of YAML tokens, which include indentation, comments and line ends. */
  tokens: 25_000,
  /** Number of lines before the YAML document that begin with `%`. YAML defines only two such directives. */
  directives: 8,
  /** Number of problems per group that are listed. Further problems are only counted. */
  problems: 200,
};
