import type { BackupCoverage } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { databasePath, paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { cronInWords } from '../terminal/cron-words.ts';
import { coverageSentence, problemsFirst } from './backup-words.ts';

const COLUMNS: readonly Column<BackupCoverage>[] = [
  {
    name: 'Database',
    cell: ({ database }) => (
      <Link
        to={paths.database(databasePath(database))}
        search={{ tab: 'backups' } as never}
        className="inline-block min-w-26 font-medium wrap-anywhere text-accent underline-offset-2 hover:underline lg:min-w-52"
      >
        {database}
      </Link>
    ),
  },
  {
    name: 'State',
    cell: ({ problem }) =>
      problem === null ? <span className="text-good">OK</span> : <span className="text-warning">{problem}</span>,
  },
  { name: 'Backups', wideOnly: true, end: true, cell: ({ good }) => <span className="tabular-nums">{good}</span> },
  {
    name: 'Last backup',
    wideOnly: true,
    cell: ({ last_good }) => (last_good === null ? '—' : <Time at={last_good.at} />),
  },
  {
    name: 'Verified',
    wideOnly: true,
    cell: ({ last_verified_at: at }) => (at === null ? <span className="text-soft">never</span> : <Time at={at} />),
  },
  {
    name: 'Schedule',
    wideOnly: true,
    cell: ({ schedule }) =>
      schedule === null ? (
        <span className="text-soft">none</span>
      ) : (
        <span>
          {cronInWords(schedule.cron) ?? schedule.cron}
          {schedule.missed !== null && <span className="text-warning"> (missed)</span>}
        </span>
      ),
  },
];

/**
 * Lists all databases. Each row shows whether the database has a current backup. Databases with a backup problem come
 * first.
 */
export function Coverage() {
  const coverage = useAnswer('listBackupCoverage');
  return (
    <Card title="Backup coverage" description={coverageSentence(coverage)}>
      {coverage.length > 0 && (
        <Table
          label="Backup coverage"
          columns={COLUMNS}
          rows={problemsFirst(coverage)}
          keyOf={({ database }) => database}
        />
      )}
    </Card>
  );
}
