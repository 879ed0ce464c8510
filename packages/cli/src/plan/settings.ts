/** Converts the app settings in a davit.yaml to app settings of the API. */
import { type App, AppSettings, type AppSpec } from '@davit/api';
import { type DavitFile, imageParts, SETTING_NAMES } from '../davit-yaml/schema.ts';

/**
 * Returns all app settings for a PUT request. Settings that are not in davit.yaml get their default. The app keeps its
 * files. If davit.yaml contains `image` and the source of the app is `external`, the app also keeps this source.
 * @param app current app, or `null` if it does not exist
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
