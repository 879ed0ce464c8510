import type { AppSpec } from '@davit/api';

/**
 * An app's settings as they are kept: written by this program from a validated AppSpec and by nobody else, so that they
 * are not validated again at each of the thousands of reads.
 */
export function storedSpec(json: string): AppSpec {
  return JSON.parse(json) as AppSpec;
}
