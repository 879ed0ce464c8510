/**
 * Limits of text files in the folder of a Compose file. This module has no imports, so that `@davit/template` can load
 * it without the rest of the API package.
 */

/**
 * Maximum size of all text files together, in bytes. The files become a part of the template, and the template has its
 * own size limit.
 */
export const LOCAL_FILES_BYTES = 128 * 1024;
export const MOST_LOCAL_FILES = 256;
