/**
 * Creates the list of everything that the deletion of a project affects. The dashboard and the command line show this
 * list.
 */
import { count } from './count.ts';
import type { ProjectDeletion } from './schemas/project.ts';

/**
 * Part of the list that users see before they delete a project. For example, one part contains everything that moves to
 * the trash.
 */
export interface DeletionPart {
  /** Heading of this part, with a colon at the end. */
  title: string;
  /** Lines of this part (at least one). */
  lines: string[];
}

/**
 * Lists everything that the deletion of a project deletes, moves to the trash or keeps. A part without lines is
 * omitted.
 */
export function deletionPartsOf(deletion: ProjectDeletion): DeletionPart[] {
  const parts = [
    { title: 'Will be deleted permanently:', lines: deletedLines(deletion) },
    ...trashParts(deletion),
    { title: 'Will be kept:', lines: keptLines(deletion) },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** Returns one part if databases and volumes have the same trash retention, otherwise one part for each of them. */
function trashParts(deletion: ProjectDeletion): DeletionPart[] {
  const { databases, volumes } = deletion.trash_days;
  const title = (days: number) => `Will move to the trash for ${count(days, 'day')}:`;
  const [data, folders] = [dataLines(deletion), volumeLines(deletion)];
  if (databases === volumes) return [{ title: title(databases), lines: [...data, ...folders] }];
  return [
    { title: title(databases), lines: data },
    { title: title(volumes), lines: folders },
  ];
}

function deletedLines(deletion: ProjectDeletion): string[] {
  const { environments, apps, template_installs: installs, object_stores: stores, registries } = deletion;
  const { variables, has_quota: hasQuota, members } = deletion;
  return [
    ...environments.map((name) => `environment ${name}`),
    ...apps.map((app) => `app ${app.reference}${inBrackets(partsOf(app))}`),
    ...installs.map(({ id, title }) => `template installation ${id}, ${title}`),
    ...stores
      .filter(({ outcome }) => outcome === 'unlinked')
      .map(({ name }) => `link to the object store ${name}, whose data stays at its provider`),
    ...registries.map((one) => `registry credentials for ${one.host}${one.is_deleted ? '' : ' in this project'}`),
    ...(variables > 0 ? [count(variables, 'variable')] : []),
    ...(hasQuota ? ['quota'] : []),
    ...(members.length > 0 ? [`access of ${members.join(', ')}`] : []),
  ];
}

function dataLines({ databases, object_stores: stores }: ProjectDeletion): string[] {
  return [
    ...databases.map(({ reference, engine }) => `database ${reference} (${engine})`),
    ...stores.filter(({ outcome }) => outcome === 'trash').map(({ name }) => `object store ${name}`),
  ];
}

function volumeLines({ apps, unused_volumes: unused }: ProjectDeletion): string[] {
  return [
    ...apps.flatMap(({ reference, volumes }) => volumes.map((path) => `volume ${path} of ${reference}`)),
    ...unused.map(({ app, path }) => `unused volume ${path} of ${app}`),
  ];
}

function keptLines({ kept_backups: kept, object_stores: stores }: ProjectDeletion): string[] {
  return [
    ...kept.map(({ database, backups }) => `${count(backups, 'backup')} of ${database}`),
    ...stores
      .filter(({ outcome }) => outcome === 'kept')
      .map(({ name }) => `object store ${name}, which contains backups`),
  ];
}

function partsOf({ domains, tcp_ports: ports, schedules }: ProjectDeletion['apps'][number]): string[] {
  return [
    ...domains,
    ...(ports.length > 0 ? [`TCP ${ports.join(', ')}`] : []),
    ...(schedules > 0 ? [count(schedules, 'schedule')] : []),
  ];
}

function inBrackets(parts: readonly string[]): string {
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}
