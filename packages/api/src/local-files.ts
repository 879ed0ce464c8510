/**
 * Limits of the text files beside a Compose file. This module has no imports, so that `@davit/template` can load it
 * without the rest of the API package.
 */

/** Maximum size of all files together. They become a part of the template, whose size has a limit too. */
export const LOCAL_FILES_BYTES = 128 * 1024;
export const MOST_LOCAL_FILES = 256;
