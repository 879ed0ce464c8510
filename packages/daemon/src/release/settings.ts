import { InstanceSettings } from '@davit/api';
import { readSetting } from '../store/settings.ts';
import type { Reader } from '../store/store.ts';

/** Under which the instance's settings are kept, as JSON of what was set by hand. */
export const SETTINGS_KEY = 'instance.settings';

/** The instance's settings with every default filled in; parsed once a commit. */
export function instanceSettings(db: Reader): InstanceSettings {
  return db.memo(SETTINGS_KEY, () => InstanceSettings.parse(JSON.parse(readSetting(db, SETTINGS_KEY) ?? '{}')));
}
