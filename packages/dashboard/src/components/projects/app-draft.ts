import type { Args } from '../../api.ts';

export interface AppDraft {
  /** Environment for the new app in the form `project/environment`. */
  place: string;
  source: 'image' | 'registry' | 'external';
  name: string;
  image: string;
  /** Typed port of the app. Empty means the port that the image exposes. */
  port: string;
  isWorker: boolean;
  /**
   * Image tag that the deployment dialog suggests after the app was created. If it is empty, the dialog does not open.
   */
  tag: string;
}

type Body = NonNullable<Args<'createApp'>['body']>;

export function emptyDraft(place: string): AppDraft {
  return { place, source: 'image', name: '', image: '', port: '', isWorker: false, tag: '' };
}

/**
 * Map from form field to the error message for input with which the app cannot be created. The server checks all other
 * rules.
 */
export function draftProblems({
  place,
  name,
  image,
  source,
  port,
  isWorker,
}: AppDraft): Partial<Record<keyof AppDraft, string>> {
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
  return {
    ...(place === '' && { place: 'Choose an environment.' }),
    ...(name === '' && { name: 'Enter a name.' }),
    ...(source !== 'registry' && image === '' && { image: 'Enter an image for this source.' }),
    ...(!isWorker && port !== '' && !isPort && { port: 'Enter a port from 1 to 65535.' }),
  };
}

/**
 * Splits an image name such as `nginx:1.27` into repository and tag. A `:` before the last `/` separates the registry's
 * host and port and does not start a tag.
 */
export function splitImage(text: string): { image: string; tag: string | null } {
  const [, image, tag] = /^(.*?):([A-Za-z0-9_][A-Za-z0-9_.-]*)$/.exec(text) ?? [];
  return image === undefined || tag === undefined || tag.includes('/') ? { image: text, tag: null } : { image, tag };
}

export function appBody(draft: AppDraft): Body {
  const [project = '', environment = ''] = draft.place.split('/');
  const { name, source } = draft;
  return {
    ...{ project, environment, name, source },
    ...(source !== 'registry' && { image: draft.image.trim() }),
    ...(draft.isWorker ? { port: null } : draft.port !== '' && { port: Number(draft.port) }),
  };
}
