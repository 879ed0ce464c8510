import type { Deployment, RevisionComparison } from '@davit/api';

export interface ChangeRow {
  name: string;
  /** Value in the older revision, or `null` if it was not set. */
  from: string | null;
  to: string | null;
}

const HIDDEN = 'hidden';

/** Lists the differences between two revisions of an app with old and new values. Settings come before variables. */
export function changeRows({ settings, variables }: RevisionComparison): ChangeRow[] {
  return [
    ...settings.map(({ path, from, to }) => ({ name: path, from: inWords(from), to: inWords(to) })),
    ...variables.map(({ key, change, from, to }) => ({
      name: key,
      from: change === 'added' ? null : (from ?? HIDDEN),
      to: change === 'removed' ? null : (to ?? HIDDEN),
    })),
  ];
}

function inWords(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns the last successful deployment before another deployment, or `null` if the loaded deployments contain none.
 */
export function servedBefore<D extends Pick<Deployment, 'id' | 'status'>>(id: number, known: readonly D[]): D | null {
  const before = known.filter((one) => one.id < id && one.status === 'succeeded');
  return before.reduce<D | null>((newest, one) => (newest === null || one.id > newest.id ? one : newest), null);
}

/** Filters of an app's list of deployments. `null` means no filter. */
export interface DeploymentFilter {
  status: string | null;
  text: string | null;
}

export function matches(
  { tag, digest, trigger, status, id }: Pick<Deployment, 'tag' | 'digest' | 'trigger' | 'status' | 'id'>,
  filter: DeploymentFilter,
): boolean {
  if (filter.status !== null && filter.status !== status) return false;
  const sought = filter.text?.trim().toLowerCase() ?? '';
  return [tag, digest ?? '', trigger.by, `#${id}`].some((text) => text.toLowerCase().includes(sought));
}
