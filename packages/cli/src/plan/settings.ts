/** Converts the settings of a file to those of the API. */
import { type App, AppSettings, type AppSpec } from '@davit/api';
import { type DavitFile, imageParts, SETTING_NAMES } from '../davit-yaml/schema.ts';

/**
 * Returns the complete settings for PUT, with all defaults filled in.
 * @param app current app, or `null`. Its source `external` is kept, because it means the same as `image`. Its files are
 * also kept
 */
export function settingsOf(file: DavitFile, app: Pick<App, 'source' | 'files'> | null): AppSpec {
  const parts = file.image === undefined ? null : imageParts(file.image);
  const named = Object.fromEntries(SETTING_NAMES.map((name) => [name, file[name]]));
  return AppSettings.parse({
    ...named,
    source: parts === null ? 'registry' : app?.source === 'external' ? 'external' : 'image',
    image: parts?.image ?? null,
    tag: file.tag ?? parts?.tag ?? null,
    files: app?.files ?? [],
  });
}
