import type { AppSpec } from '@davit/api';

/**
 * Parses the stored settings of an app without validation. Only the daemon writes them, from a validated AppSpec, and
 * they are read too often to be validated each time.
 */
export function storedSpec(json: string): AppSpec {
  return JSON.parse(json) as AppSpec;
}
