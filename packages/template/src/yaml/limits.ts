/**
 * Limits for a template. No real template is near them: the format has eight levels, and the largest known file has
 * some hundred values. The limits are checked while the file is split into tokens, so that a file above them costs no
 * more time than a valid one.
 */
export const LIMITS = {
  /** Bytes in UTF-8. */
  bytes: 1024 * 1024,
  lines: 20_000,
  /** Characters of one value as written. No environment variable of a process can be longer. */
  text: 128 * 1024,
  /** Occurrences of `${`, with which every reference begins. */
  references: 5_000,
  /** Levels of nested lists and mappings. */
  depth: 64,
  /** Keys and values. */
  nodes: 6_000,
  /** Tokens of the lexer, which also include indents, comments and line ends. */
  tokens: 25_000,
  /** Lines before the document that begin with `%`. YAML defines two kinds. */
  directives: 8,
  /** Problems of one layer. Problems above the limit are only counted. */
  problems: 200,
};
