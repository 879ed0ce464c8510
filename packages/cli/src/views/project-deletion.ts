import type { ProjectDeletion } from '@davit/api';
import { count } from '../output/words.ts';

/** Returns lines that say what the deletion of a project with its contents deletes, moves to the trash and keeps. */
export function deletionLines(deletion: ProjectDeletion): string[] {
  return [...deletedLines(deletion), ...trashLines(deletion), ...keptLines(deletion)];
}

function deletedLines(deletion: ProjectDeletion): string[] {
  const { environments, apps, template_installs: installs, registries, object_stores: stores } = deletion;
  const { variables, has_quota: hasQuota, members } = deletion;
  return [
    'Deleted permanently:',
    `  environments: ${environments.join(', ')}`,
    ...apps.map((app) => `  app ${app.reference}${inBrackets(partsOf(app))}`),
    ...installs.map(({ id, title }) => `  template installation ${id}, ${title}`),
    ...stores
      .filter(({ outcome }) => outcome === 'unlinked')
      .map(({ name }) => `  link to the object store ${name}, whose data stays at its provider`),
    ...registries.map((one) => `  registry credentials for ${one.host}${one.is_deleted ? '' : ' in this project'}`),
    ...(variables > 0 ? [`  ${count(variables, 'variable')}`] : []),
    ...(hasQuota ? ['  the quota'] : []),
    ...(members.length > 0 ? [`  access of ${members.join(', ')}`] : []),
  ];
}

function trashLines(deletion: ProjectDeletion): string[] {
  const { apps, unused_volumes: unused, databases, object_stores: stores, trash_days: days } = deletion;
  const volumes = [...apps.flatMap((app) => app.volumes.map((path) => ({ app: app.reference, path }))), ...unused];
  const data = [
    ...databases.map(({ reference, engine }) => `  database ${reference} (${engine})`),
    ...stores.filter(({ outcome }) => outcome === 'trash').map(({ name }) => `  object store ${name}`),
  ];
  return [
    ...(data.length > 0 ? [`Moved to the trash for ${count(days.databases, 'day')}:`, ...data] : []),
    ...(volumes.length > 0 ? [`Moved to the trash for ${count(days.volumes, 'day')}:`] : []),
    ...volumes.map(({ app, path }) => `  volume ${path} of ${app}`),
  ];
}

function keptLines({ databases, object_stores: stores }: ProjectDeletion): string[] {
  const kept = [
    ...databases
      .filter(({ backups }) => backups > 0)
      .map(({ reference, backups }) => `  ${count(backups, 'backup')} of ${reference}`),
    ...stores
      .filter(({ outcome }) => outcome === 'kept')
      .map(({ name }) => `  object store ${name}, which contains backups`),
  ];
  return kept.length > 0 ? ['Kept:', ...kept] : [];
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
