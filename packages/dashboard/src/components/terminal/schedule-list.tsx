import type { Schedule } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';
import { lineOf } from './command-words.ts';
import { RunResult } from './run-status.tsx';

const COLUMNS: readonly Column<Schedule>[] = [
  {
    name: 'Schedule',
    cell: ({ id, name, cron, time_zone }) => (
      <div>
        <p className="font-medium">{name ?? `Schedule ${id}`}</p>
        <p className="text-xs text-soft">
          <code className="font-mono">{cron}</code> · {time_zone}
        </p>
      </div>
    ),
  },
  {
    name: 'Command',
    cell: ({ command }) => <code className="font-mono text-xs break-all">{lineOf(command)}</code>,
    wideOnly: true,
  },
  {
    name: 'Next',
    cell: ({ next_run_at }) =>
      next_run_at === null ? <span className="text-soft">switched off</span> : <Time at={next_run_at} />,
  },
  {
    name: 'Last',
    cell: ({ last_run }) =>
      last_run === null ? <span className="text-soft">not yet</span> : <RunResult run={last_run} />,
  },
];

/** Commands that are run at set times, and when they are run next. */
export function ScheduleList() {
  const path = useAppPath();
  const schedules = useAnswer('listSchedules', { params: path });
  const reference = `${path.project}/${path.environment}/${path.app}`;
  return (
    <Table
      label="Schedules"
      columns={COLUMNS}
      rows={schedules}
      keyOf={({ id }) => id}
      empty={
        <Empty title="Nothing is run at set times">
          <p>A schedule runs a command from the release that is live, every night for one.</p>
          <div className="text-left">
            <Commands lines={[`davit schedule create ${reference} '0 3 * * *' -- <command>`]} />
          </div>
        </Empty>
      }
    />
  );
}
