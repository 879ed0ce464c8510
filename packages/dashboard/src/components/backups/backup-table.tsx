import { type Backup, bytes } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { databasePath, paths } from '../../paths.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { Wrapping } from '../../ui/wrapping.tsx';
import { useSearchChange } from '../../util/params.ts';
import { destinationWords, ORIGINS, verifiedWords, whyNotBackup } from './backup-words.ts';

const TONES = { good: 'text-good', error: 'text-error', soft: 'text-soft' } as const;

/** Table column with the number that the command line and the API need, for example to restore the backup. */
const ID: Column<Backup> = { name: 'Backup', cell: ({ id }) => <span className="tabular-nums">{id}</span> };
const TAKEN: Column<Backup> = { name: 'Created', cell: ({ started_at }) => <Time at={started_at} /> };
/**
 * Table column with the database that a backup belongs to. On narrow screens, the column also shows the time of the
 * backup.
 */
const OF: Column<Backup> = {
  name: 'Database',
  cell: (backup) => (
    <>
      <Of backup={backup} />
      <span className="block text-xs text-soft md:hidden">
        <Time at={backup.started_at} />
      </span>
    </>
  ),
};
const FACTS: readonly Column<Backup>[] = [
  { name: 'Status', cell: (backup) => <State backup={backup} /> },
  { name: 'Verified', wideOnly: true, cell: (backup) => <Verified backup={backup} /> },
  { name: 'Origin', wideOnly: true, cell: ({ origin }) => ORIGINS[origin] },
  {
    name: 'Destination',
    wideOnly: true,
    cell: ({ destination }) => <Wrapping text={destinationWords(destination)} />,
  },
  {
    name: 'Size',
    end: true,
    wideOnly: true,
    cell: ({ size_bytes }) => <span className="tabular-nums">{size_bytes === null ? '—' : bytes(size_bytes)}</span>,
  },
  { name: 'Actions', hideName: true, end: true, cell: (backup) => <Actions backup={backup} /> },
];
const ALL = [ID, OF, { ...TAKEN, wideOnly: true }, ...FACTS];
const OF_ONE = [ID, TAKEN, ...FACTS];

function Of({ backup: { database, database_exists } }: { backup: Backup }) {
  if (!database_exists)
    return <span className="inline-block min-w-26 wrap-anywhere text-soft">{database} (deleted)</span>;
  return (
    <Link
      to={paths.database(databasePath(database))}
      search={{ tab: 'backups' } as never}
      className="inline-block min-w-26 font-medium wrap-anywhere text-accent underline-offset-2 hover:underline"
    >
      {database}
    </Link>
  );
}

function State({ backup: { status, error } }: { backup: Backup }) {
  return (
    <>
      <Status of={status === 'taking' ? 'running' : status} kind="task" />
      {error !== null && <p className="max-w-64 text-xs break-words text-error">{error}</p>}
    </>
  );
}

function Verified({ backup }: { backup: Backup }) {
  const { says, tone } = verifiedWords(backup);
  return (
    <span className={TONES[tone]} title={backup.verified?.error ?? undefined}>
      {says}
      {backup.verified && (
        <>
          {' '}
          <Time at={backup.verified.at} />
        </>
      )}
    </span>
  );
}

function Actions({ backup }: { backup: Backup }) {
  const operate = useForbidden('operate');
  const administer = useForbidden('administer');
  const change = useSearchChange();
  const verify = useCall('verifyBackup', {
    changes: ['listTasks', 'listBackups', 'listDatabaseBackups', 'getDatabase'],
    onDone: ({ id }) => say(`Started task ${id} to verify the backup.`),
  });
  const not = whyNotBackup(backup);
  const id = String(backup.id);
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for backup ${id}`}>
          <Ellipsis className="size-4" aria-hidden />
        </IconButton>
      }
      items={[
        { label: 'Restore…', onSelect: () => change({ restore: id }), disabledBecause: administer ?? not.restore },
        {
          label: 'Verify backup',
          onSelect: () => verify.mutate({ params: { backup: id } }, { onError: sayProblem }),
          disabledBecause: operate ?? not.verify,
        },
        { label: 'Download', onSelect: () => download(backup.id), disabledBecause: administer ?? not.download },
        {
          label: 'Delete…',
          danger: true,
          onSelect: () => change({ remove: id }),
          disabledBecause: administer ?? not.delete,
        },
      ]}
    />
  );
}

/**
 * Downloads a backup with a link. The browser then writes the file directly to disk instead of loading it into
 * memory.
 */
function download(id: number): void {
  const link = document.createElement('a');
  link.href = `/api/backups/${id}/download`;
  link.download = '';
  link.click();
}

/**
 * Renders a table of backups.
 * @param isOne whether all backups belong to the same database; the database column is then omitted
 */
export function BackupTable({
  backups,
  isOne = false,
  empty,
}: {
  backups: readonly Backup[];
  isOne?: boolean;
  empty: ReactNode;
}) {
  return <Table label="Backups" columns={isOne ? OF_ONE : ALL} rows={backups} keyOf={({ id }) => id} empty={empty} />;
}
