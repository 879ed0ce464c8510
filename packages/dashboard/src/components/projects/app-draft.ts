import type { Args } from '../../api.ts';

export interface AppDraft {
  /** Environment for the new app in the form `project/environment`. */
  place: string;
  source: 'image' | 'registry';
  name: string;
  image: string;
  /** Port of the app, as the user has entered it. An empty string means the port that the image exposes. */
  port: string;
  isWorker: boolean;
  /**
   * Image tag that the deployment dialog suggests after the creation of the app. If the image tag is empty, the
   * deployment dialog does not open.
   */
  tag: string;
}

type Body = NonNullable<Args<'createApp'>['body']>;

export function emptyDraft(target: string): AppDraft {
  return { place: target, source: 'image', name: '', image: '', port: '', isWorker: false, tag: '' };
}

/**
 * Checks the form for a new app before the dashboard sends the form. Returns a map from form field to error message.
 * The server checks all further rules.
 */
export function draftProblems({
  place: target,
  name,
  image,
  source,
  port,
  isWorker,
}: AppDraft): Partial<Record<keyof AppDraft, string>> {
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
  return {
    ...(target === '' && { place: 'Choose an environment.' }),
    ...(name === '' && { name: 'Enter a name.' }),
    ...(source !== 'registry' && image === '' && { image: 'Enter the name of an image.' }),
    ...(!isWorker && port !== '' && !isPort && { port: 'Enter a port from 1 to 65535.' }),
  };
}

/**
 * Splits an image name such as `nginx:1.27` into repository and tag. A `:` before the last `/` separates the host and
 * port of the registry, and does not start a tag.
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
