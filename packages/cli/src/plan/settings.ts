/** Converts the app settings in a davit.yaml to app settings of the API. */
import { type App, AppSettings, type AppSpec, type Deployment } from '@davit/api';
import { type DavitFile, imageParts, SETTING_NAMES } from '../davit-yaml/schema.ts';

/**
 * Returns all app settings for a PUT request. A setting that davit.yaml omits gets its default, except the number of
 * replicas and the files. An app with `image` keeps the source `external`.
 */
export function settingsOf(file: DavitFile, app: Pick<App, 'source' | 'files' | 'scale'> | null): AppSpec {
  const parts = file.image === undefined ? null : imageParts(file.image);
  const named = Object.fromEntries(SETTING_NAMES.map((name) => [name, file[name]]));
  return AppSettings.parse({
    ...named,
    scale: file.scale ?? app?.scale,
    source: parts === null ? 'registry' : app?.source === 'external' ? 'external' : 'image',
    image: parts?.image ?? null,
    tag: file.tag ?? parts?.tag ?? null,
    files: app?.files ?? [],
  });
}

/**
 * Image tag that every push moves to the newest image. Therefore, a live release with this tag may contain an older
 * image.
 */
export const MOVING = 'latest';

/** Returns the image tag that `davit up` deploys if davit.yaml contains `image`. */
export function imageTag({ tag }: Pick<AppSpec, 'tag'>, live: Pick<Deployment, 'tag'> | null): string {
  return tag ?? live?.tag ?? MOVING;
}
