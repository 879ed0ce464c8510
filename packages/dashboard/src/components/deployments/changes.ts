import { type Deployment, type RevisionComparison, SETTINGS_OF_THE_APP } from '@davit/api';
import type { Entry } from '../variables/changes.ts';

export interface ChangeRow {
  name: string;
  /** Value of the setting or variable in the older revision. `null` if the older revision does not set it. */
  from: Entry | null;
  to: Entry | null;
}

/**
 * Lists the differences between two releases. Settings of the app, such as its scale, are omitted, because a release
 * does not take them from its revision.
 */
export function releaseChanges({ settings, ...rest }: RevisionComparison): ChangeRow[] {
  const isOfApp = (path: string) => SETTINGS_OF_THE_APP.includes(path.split('.')[0] ?? '');
  return changeRows({ ...rest, settings: settings.filter(({ path }) => !isOfApp(path)) });
}

/**
 * Lists the differences between two revisions of an app with old and new values. App settings come first, then
 * environment variables.
 */
export function changeRows({ settings, variables }: RevisionComparison): ChangeRow[] {
  return [
    ...settings.map(({ path, from, to }) => ({ name: path, from: ofSetting(from), to: ofSetting(to) })),
    ...variables.map(({ key, change, from, to, secret }) => ({
      name: key,
      from: change === 'added' ? null : { value: from, secret },
      to: change === 'removed' ? null : { value: to, secret },
    })),
  ];
}

function ofSetting(value: unknown): Entry | null {
  if (value === undefined) return null;
  return { value: typeof value === 'string' ? value : JSON.stringify(value), secret: false };
}

/**
 * Returns the newest successful deployment before a given deployment. Returns `null` if the loaded list contains no
 * such deployment.
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
