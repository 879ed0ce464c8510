/** What a file says of an app, in the API's own terms. */
import { type App, AppSettings, type AppSpec } from '@davit/api';
import { type DavitFile, imageParts, SETTING_NAMES } from '../davit-yaml/schema.ts';

/**
 * The whole settings, as PUT takes them, every default filled in.
 * @param source of an app that is there: `external` stays what it is, since it means the same as `image`
 */
export function settingsOf(file: DavitFile, source?: App['source']): AppSpec {
  const parts = file.image === undefined ? null : imageParts(file.image);
  const named = Object.fromEntries(SETTING_NAMES.map((name) => [name, file[name]]));
  return AppSettings.parse({
    ...named,
    source: parts === null ? 'registry' : source === 'external' ? 'external' : 'image',
    image: parts?.image ?? null,
    tag: file.tag ?? parts?.tag ?? null,
  });
}
