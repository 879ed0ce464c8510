/** Defines the values of the form for a new app and converts them into the request. */
import type { Args } from '../../api.ts';

export interface AppDraft {
  /** `project/environment`. */
  place: string;
  source: 'image' | 'registry' | 'external';
  name: string;
  image: string;
  /** Typed port. Empty means the port of the image. */
  port: string;
  isWorker: boolean;
  /** Tag to deploy at once. Empty means no deployment yet. */
  tag: string;
}

type Body = NonNullable<Args<'createApp'>['body']>;

export function emptyDraft(place: string): AppDraft {
  return { place, source: 'image', name: '', image: '', port: '', isWorker: false, tag: '' };
}

/** Returns the problems that prevent sending, by field. The instance checks the rest. */
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

/** Divides a pasted image name into image and tag. The tag follows the last `:` of the last path segment. */
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
