import type { InstanceSettings } from '@davit/api';
import type { Reader } from '../db/store.ts';
import { readSetting } from '../db/tables/settings.ts';
import { readStoredSettings, type StoredSettings } from './stored-settings.ts';

/**
 * Key of the instance settings in the SQLite table `settings`. The value is a JSON object with only the settings that a
 * user has changed.
 */
export const SETTINGS_KEY = 'instance.settings';

/**
 * Returns the instance settings, including the defaults of settings that no user has changed. The parsed settings are
 * cached until the next SQLite commit.
 */
export function instanceSettings(db: Reader): InstanceSettings {
  return stored(db).settings;
}

/**
 * Returns a warning with the names of stored instance settings that this Davit version does not accept. Returns `null`
 * if all stored settings are valid.
 */
export function refusedSettingsProblem(db: Reader): string | null {
  const { refused } = stored(db);
  if (refused.length === 0) return null;
  return `This version of Davit does not accept these stored settings, so their defaults apply: ${refused.join(', ')}. Set them again.`;
}

function stored(db: Reader): StoredSettings {
  return db.memo(SETTINGS_KEY, () => readStoredSettings(readSetting(db, SETTINGS_KEY) ?? '{}'));
}
