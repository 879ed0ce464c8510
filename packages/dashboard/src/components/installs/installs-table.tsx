import type { TemplateInstall } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { InstallState } from './install-state.tsx';

const COLUMNS: readonly Column<TemplateInstall>[] = [
  {
    name: 'Template',
    cell: ({ id, title, origin, project, environment }) => (
      <div className="min-w-0">
        <Link
          to={paths.install({ install: id })}
          className="font-medium break-words underline-offset-2 hover:underline"
        >
          <bdi>{title}</bdi>
        </Link>
        <p className="text-xs wrap-anywhere text-soft">
          <bdi>{originWords(origin)}</bdi>
        </p>
        {/* On narrow screens, the table has no column for the environment, so this cell shows the environment. */}
        <p className="font-mono text-xs wrap-anywhere text-soft md:hidden">
          {project}/{environment}
        </p>
      </div>
    ),
  },
  {
    name: 'Environment',
    wideOnly: true,
    cell: ({ project, environment }) => (
      <Link
        to={paths.environment({ project, environment })}
        className="font-mono text-[0.8125rem] wrap-anywhere underline-offset-2 hover:underline"
      >
        {project}/{environment}
      </Link>
    ),
  },
  {
    name: 'Release',
    cell: ({ id, origin, update_available }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi className="font-mono text-[0.8125rem]">{origin.release ?? '–'}</bdi>
        {update_available !== null && (
          <Link
            to={paths.install({ install: id })}
            search={{ update: '1' } as never}
            className="rounded bg-accent-soft px-1.5 text-xs font-medium text-accent"
          >
            {update_available} available
          </Link>
        )}
      </span>
    ),
  },
  { name: 'Status', cell: ({ status }) => <InstallState of={status} /> },
  { name: 'Updated', wideOnly: true, end: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
];

export function InstallsTable({ installs }: { installs: readonly TemplateInstall[] }) {
  return <Table label="Installed templates" columns={COLUMNS} rows={installs} keyOf={({ id }) => id} />;
}

/** Describes the source of an installed template in a few words, such as `owner/name` or `from a file`. */
export function originWords({ kind, owner, name, repository }: TemplateInstall['origin']): string {
  if (kind === 'catalog') return `${owner}/${name}`;
  return kind === 'file' ? 'from a file' : (repository ?? 'from a repository');
}
