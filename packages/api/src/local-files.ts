/**
 * Limits of the text files beside a Compose file. The file has no imports, because `@davit/template` also uses the
 * limits.
 */

/** Maximum size of all files together. They become a part of the template, whose size has a limit too. */
export const LOCAL_FILES_BYTES = 128 * 1024;
export const MOST_LOCAL_FILES = 256;
