import type { ObjectStore, ObjectStoreLink, ObjectStorePatch, ObjectStoreProvider } from '@davit/api';
import type { Args } from '../../api.ts';

export interface LinkDraft {
  name: string;
  provider: ObjectStoreLink['provider'];
  /**
   * Name of the project whose apps may use the object store. If this field is empty, the apps of all projects may use
   * the object store.
   */
  project: string;
  endpoint: string;
  region: string;
  account: string;
  publicEndpoint: string;
  /**
   * Name of the bucket, if the access key can access only one bucket. If this field is empty, the apps can use all
   * buckets of the access key.
   */
  bucket: string;
  accessKey: string;
  secretKey: string;
  pathStyle: boolean | null;
}

type Body = NonNullable<Args<'linkObjectStore'>['body']>;
type ProviderFields = Pick<ObjectStoreProvider, 'asks' | 'takes'>;

export function newLink(provider: ObjectStoreLink['provider']): LinkDraft {
  const text = { name: '', project: '', endpoint: '', region: '', account: '', publicEndpoint: '', bucket: '' };
  return { ...text, provider, accessKey: '', secretKey: '', pathStyle: null };
}

/**
 * Returns whether the form shows a field. The form shows only the fields that the selected object store provider needs
 * or accepts.
 */
export function shows(
  { asks, takes }: ProviderFields,
  field: 'endpoint' | 'region' | 'account' | 'path_style',
): boolean {
  return ([...asks, ...takes] as readonly string[]).includes(field);
}

/**
 * Returns a message about the first empty required field of the form for a linked object store. Returns `null` if no
 * required field is empty.
 */
export function missingInLink(draft: LinkDraft, { asks }: ProviderFields): string | null {
  if (draft.name === '') return 'Enter a name first.';
  const missing = asks.find((field) => draft[field].trim() === '');
  if (missing !== undefined) return `Enter the ${missing} first.`;
  return draft.accessKey === '' || draft.secretKey === '' ? 'Enter both keys first.' : null;
}

/**
 * Converts the form for an external object store to a request body. Fields that the selected provider does not use are
 * omitted.
 */
export function linkBody(draft: LinkDraft, provider: ProviderFields): Body {
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

/** Form values that describe the location of a linked object store, such as endpoint and region. */
export interface ConnectionDraft extends Pick<LinkDraft, 'endpoint' | 'region' | 'publicEndpoint' | 'bucket'> {
  pathStyle: boolean;
}

type Known = Pick<ObjectStore, 'endpoint' | 'region' | 'public_endpoint' | 'bucket' | 'path_style'>;

export function newConnection({ endpoint, region, public_endpoint, bucket, path_style }: Known): ConnectionDraft {
  return { endpoint, region, publicEndpoint: public_endpoint ?? '', bucket: bucket ?? '', pathStyle: path_style };
}

/**
 * Returns the changed address fields of a linked object store as a JSON merge patch. Returns `null` if nothing changed.
 */
export function connectionPatch(store: Known, draft: ConnectionDraft): ObjectStorePatch | null {
  const [publicEndpoint, bucket] = [draft.publicEndpoint.trim() || null, draft.bucket.trim() || null];
  const patch: ObjectStorePatch = {
    ...(draft.endpoint.trim() !== store.endpoint && { endpoint: draft.endpoint.trim() }),
    ...(draft.region.trim() !== store.region && { region: draft.region.trim() }),
    ...(publicEndpoint !== store.public_endpoint && { public_endpoint: publicEndpoint }),
    ...(bucket !== store.bucket && { bucket }),
    ...(draft.pathStyle !== store.path_style && { path_style: draft.pathStyle }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}
