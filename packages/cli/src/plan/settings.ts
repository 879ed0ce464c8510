/** What a file says of an app, in the API's own terms. */
import { type App, AppSettings, type AppSpec } from '@davit/api';
import { type DavitFile, imageParts, SETTING_NAMES } from '../davit-yaml/schema.ts';

/**
 * The whole settings, as PUT takes them, every default filled in.
 * @param app as it is, if it is: `external` stays what it is, since it means the same as `image`, and so do its files
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
