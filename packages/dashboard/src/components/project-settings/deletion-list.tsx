import type { ProjectDeletion } from '@davit/api';
import { count } from '../../util/amounts.ts';

/** Lists what the deletion of a project deletes, moves to the trash and keeps. */
export function DeletionList({ deletion }: { deletion: ProjectDeletion }) {
  const { databases, volumes } = deletion.trash_days;
  return (
    <>
      <Part title="Deleted permanently:" lines={deletedLines(deletion)} />
      <Part title={`Moved to the trash for ${count(databases, 'day')}:`} lines={trashedLines(deletion)} />
      <Part title={`Moved to the trash for ${count(volumes, 'day')}:`} lines={volumeLines(deletion)} />
      <Part title="Kept:" lines={keptLines(deletion)} />
    </>
  );
}

function Part({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <p>{title}</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
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

function trashedLines({ databases, object_stores: stores }: ProjectDeletion): string[] {
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

function keptLines({ databases, object_stores: stores }: ProjectDeletion): string[] {
  return [
    ...databases
      .filter(({ backups }) => backups > 0)
      .map(({ reference, backups }) => `${count(backups, 'backup')} of ${reference}`),
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
