/** Form values for the quota of a project, and the JSON merge patch that the form sends. */
import { exactBytes, type Quota, type QuotaPatch, type QuotaResource, readByteSize } from '@davit/api';
import { typedNumber } from '../app-settings/typed-number.ts';

export interface QuotaField {
  resource: QuotaResource;
  label: string;
  isBytes?: boolean;
}

export const QUOTA_FIELDS: readonly QuotaField[] = [
  { resource: 'replicas', label: 'Replicas' },
  { resource: 'memory_bytes', label: 'Memory limits', isBytes: true },
  { resource: 'cpu', label: 'CPU limits (cores)' },
  { resource: 'pids', label: 'Process limits' },
  { resource: 'volumes', label: 'Volumes' },
  { resource: 'databases', label: 'Databases and object stores' },
  { resource: 'disk_bytes', label: 'Disk use', isBytes: true },
];

/** Limit for each resource, as the user has entered it. An empty string means no limit. */
export type QuotaDraft = Record<QuotaResource, string>;

export function quotaDraft(quota: Quota): QuotaDraft {
  const texts = QUOTA_FIELDS.map(({ resource, isBytes = false }) => {
    const limit = quota[resource];
    return [resource, limit === null ? '' : isBytes ? exactBytes(limit) : String(limit)];
  });
  return Object.fromEntries(texts) as QuotaDraft;
}

/**
 * Returns the changed limits of a project as a JSON merge patch. Returns `null` if no limit has changed. An invalid
 * number is sent unchanged, so that the server reports the error.
 */
export function quotaPatch(before: QuotaDraft, now: QuotaDraft): QuotaPatch | null {
  const changed = QUOTA_FIELDS.filter(({ resource }) => before[resource].trim() !== now[resource].trim());
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((field) => [field.resource, limitOf(field, now[field.resource].trim())]));
}

function limitOf({ isBytes = false }: QuotaField, text: string): number | null {
  if (text === '') return null;
  return (isBytes ? readByteSize(text) : null) ?? typedNumber(text);
}
