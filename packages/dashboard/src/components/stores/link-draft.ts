/** An object store to be linked, as it is typed, and what is sent of it. */
import type { ObjectStore, StoreLink, StorePatch, StoreProvider } from '@davit/api';
import type { Args } from '../../api.ts';

export interface LinkDraft {
  name: string;
  provider: StoreLink['provider'];
  /** Empty: for every project. */
  project: string;
  endpoint: string;
  region: string;
  account: string;
  publicEndpoint: string;
  /** Empty: all that the keys may see. */
  bucket: string;
  accessKey: string;
  secretKey: string;
  pathStyle: boolean | null;
}

type Body = NonNullable<Args<'linkStore'>['body']>;
type Asked = Pick<StoreProvider, 'asks' | 'takes'>;

export function newLink(provider: StoreLink['provider']): LinkDraft {
  const text = { name: '', project: '', endpoint: '', region: '', account: '', publicEndpoint: '', bucket: '' };
  return { ...text, provider, accessKey: '', secretKey: '', pathStyle: null };
}

/** Whether a provider asks for it or takes it. */
export function shows({ asks, takes }: Asked, field: 'endpoint' | 'region' | 'account' | 'path_style'): boolean {
  return ([...asks, ...takes] as readonly string[]).includes(field);
}

/** What has to be filled in first, in a sentence; null: it can be sent. */
export function missingInLink(draft: LinkDraft, { asks }: Asked): string | null {
  if (draft.name === '') return 'Give it a name first.';
  const missing = asks.find((field) => draft[field].trim() === '');
  if (missing !== undefined) return `Fill in the ${missing} first.`;
  return draft.accessKey === '' || draft.secretKey === '' ? 'Fill in both keys first.' : null;
}

/** What a provider has no use for stays out, also where it was typed for another one. */
export function linkBody(draft: LinkDraft, provider: Asked): Body {
  const text = (field: 'endpoint' | 'region' | 'account') =>
    shows(provider, field) && draft[field].trim() !== '' ? { [field]: draft[field].trim() } : {};
  return {
    name: draft.name,
    provider: draft.provider,
    ...(draft.project !== '' && { project: draft.project }),
    ...text('endpoint'),
    ...text('region'),
    ...text('account'),
    ...(draft.pathStyle !== null && shows(provider, 'path_style') && { path_style: draft.pathStyle }),
    ...(draft.publicEndpoint.trim() !== '' && { public_endpoint: draft.publicEndpoint.trim() }),
    ...(draft.bucket.trim() !== '' && { bucket: draft.bucket.trim() }),
    access_key: draft.accessKey,
    secret_key: draft.secretKey,
  };
}

/** Where a linked store is, as it is typed. */
export interface PlaceDraft extends Pick<LinkDraft, 'endpoint' | 'region' | 'publicEndpoint' | 'bucket'> {
  pathStyle: boolean;
}

type Known = Pick<ObjectStore, 'endpoint' | 'region' | 'public_endpoint' | 'bucket' | 'path_style'>;

export function newPlace({ endpoint, region, public_endpoint, bucket, path_style }: Known): PlaceDraft {
  return { endpoint, region, publicEndpoint: public_endpoint ?? '', bucket: bucket ?? '', pathStyle: path_style };
}

/** What is typed that is not what the store has; null: nothing is. */
export function placePatch(store: Known, draft: PlaceDraft): StorePatch | null {
  const [publicEndpoint, bucket] = [draft.publicEndpoint.trim() || null, draft.bucket.trim() || null];
  const patch: StorePatch = {
    ...(draft.endpoint.trim() !== store.endpoint && { endpoint: draft.endpoint.trim() }),
    ...(draft.region.trim() !== store.region && { region: draft.region.trim() }),
    ...(publicEndpoint !== store.public_endpoint && { public_endpoint: publicEndpoint }),
    ...(bucket !== store.bucket && { bucket }),
    ...(draft.pathStyle !== store.path_style && { path_style: draft.pathStyle }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}
