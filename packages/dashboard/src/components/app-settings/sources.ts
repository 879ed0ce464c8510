import type { App } from '@davit/api';

export type Source = App['source'];

const SOURCES: readonly { value: Source; label: string }[] = [
  { value: 'image', label: 'Existing image' },
  { value: 'registry', label: 'Image pushed to this instance' },
  { value: 'external', label: 'Externally managed image (same as “Existing image”)' },
];

/** Returns the sources that a user can choose for an app. The API accepts `external` as another name for `image`. */
export function sourcesFor({ source }: Pick<App, 'source'>): typeof SOURCES {
  return SOURCES.filter(({ value }) => value !== 'external' || source === 'external');
}
