import type { Deployment, RevisionComparison } from '@davit/api';

export interface ChangeRow {
  name: string;
  /** Null: it was not set. */
  from: string | null;
  to: string | null;
}

const HIDDEN = 'hidden';

/** The differences of two revisions, settings first, each with what was and what is. */
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

/** The release that served before a deployment, among those that are known; null: none, or it is too long ago. */
export function servedBefore<D extends Pick<Deployment, 'id' | 'status'>>(id: number, known: readonly D[]): D | null {
  const before = known.filter((one) => one.id < id && one.status === 'succeeded');
  return before.reduce<D | null>((newest, one) => (newest === null || one.id > newest.id ? one : newest), null);
}

/** What a list of deployments is narrowed to; nothing: all of them. */
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
