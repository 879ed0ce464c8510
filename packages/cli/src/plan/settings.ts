/** Converts the app settings in a davit.yaml to app settings of the API. */
import { type App, AppSettings, type AppSpec } from '@davit/api';
import { type DavitFile, imageParts, SETTING_NAMES } from '../davit-yaml/schema.ts';

/**
 * Returns all app settings for a PUT request. Settings that davit.yaml omits get their default. The app keeps its files
 * and, with `image`, also the source `external`.
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
