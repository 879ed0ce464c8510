import type { AppSpec } from '@davit/api';

/**
 * Parses the JSON with the settings of an app. The JSON is not validated, because only the daemon writes it and
 * validation would slow down frequent reads.
 */
export function storedSpec(json: string): AppSpec {
  return JSON.parse(json) as AppSpec;
}
