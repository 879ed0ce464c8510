import type { AppSpec } from '@davit/api';

/**
 * Parses the settings of an app from their JSON in SQLite. The JSON is not validated: only the daemon writes it, and
 * validation would slow down frequent reads.
 */
export function storedSpec(json: string): AppSpec {
  return JSON.parse(json) as AppSpec;
}
