import type { AppSpec } from '@davit/api';

/**
 * Parses the JSON with the settings of an app. Validation would slow down frequent reads. It is not necessary, because
 * only the daemon writes the JSON.
 */
export function storedSpec(json: string): AppSpec {
  return JSON.parse(json) as AppSpec;
}
