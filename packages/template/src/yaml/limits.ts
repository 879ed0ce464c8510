/**
 * What is read at most. No template comes near these: the format is eight levels deep, and its largest known file has
 * some hundred values. They are held against a file while it is taken apart, so that what is over them costs no more
 * than what is not.
 */
export const LIMITS = {
  /** As UTF-8. */
  bytes: 1024 * 1024,
  lines: 20_000,
  /** Characters of one value as it is written: no variable of a process can be longer. */
  text: 128 * 1024,
  /** Of `${`, with which every reference begins. */
  references: 5_000,
  /** Lists and mappings within each other. */
  depth: 64,
  /** Keys and values. */
  nodes: 6_000,
  /** What the text is first cut into: also indents, comments and line ends. */
  tokens: 25_000,
  /** Lines before the document that begin with `%`: two kinds are known. */
  directives: 8,
  /** Of one layer; what is over it is counted. */
  problems: 200,
};
