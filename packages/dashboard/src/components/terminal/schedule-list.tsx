import type { Schedule } from '@davit/api';
import { Ellipsis, Plus } from 'lucide-react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { Menu } from '../../ui/menu.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { useAppPath, useSearchChange, useSearchText } from '../../util/params.ts';
import { IfMay } from '../admin/if-may.tsx';
import { lineOf } from './command-words.ts';
import { cronInWords } from './cron-words.ts';
import { RunResult } from './run-status.tsx';
import { nameOf, RemoveSchedule, RunScheduleNow } from './schedule-dialogs.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleRuns } from './schedule-runs.tsx';
import { clockTime } from './schedule-times.tsx';
import { useOpenRun } from './use-open-run.ts';

const COLUMNS: readonly Column<Schedule>[] = [
  {
    name: 'Schedule',
    cell: ({ id, name, cron, time_zone }) => (
      <div>
        <p className="font-medium">{name ?? `Schedule ${id}`}</p>
        <p className="text-xs text-soft">
          {cronInWords(cron) ?? <code className="font-mono">{cron}</code>} · {time_zone}
        </p>
      </div>
    ),
  },
  {
    name: 'Command',
    cell: ({ command }) => <code className="font-mono text-xs break-all">{lineOf(command)}</code>,
    wideOnly: true,
  },
  { name: 'Next', cell: (schedule) => <Next schedule={schedule} /> },
  { name: 'Last', cell: (schedule) => <Last schedule={schedule} />, wideOnly: true },
  { name: 'Actions', hideName: true, end: true, cell: (schedule) => <Actions schedule={schedule} /> },
];

function Next({ schedule: { next_run_at: at, time_zone } }: { schedule: Schedule }) {
  if (at === null) return <span className="text-soft">disabled</span>;
  return (
    <div>
      <Time at={at} />
      <p className="text-xs text-soft">{clockTime(at, time_zone)}</p>
    </div>
  );
}

function Last({ schedule: { last_run: run } }: { schedule: Schedule }) {
  const open = useOpenRun();
  if (run === null) return <span className="text-soft">never</span>;
  return (
    <button type="button" className="min-h-6 hover:underline" onClick={() => open(run.id)}>
      <RunResult run={run} />
    </button>
  );
}

function Actions({ schedule }: { schedule: Schedule }) {
  const params = useAppPath();
  const forbidden = useForbidden('operate');
  const change = useSearchChange();
  const { id, enabled } = schedule;
  const turn = useCall('patchSchedule', {
    changes: ['listSchedules'],
    onDone: ({ enabled: isOn }) => say(`${isOn ? 'Enabled' : 'Disabled'} ${nameOf(schedule)}.`),
  });
  const turnIt = () =>
    turn.mutate({ params: { ...params, schedule: String(id) }, body: { enabled: !enabled } }, { onError: sayProblem });
  const item = (label: string, onSelect: () => void, danger = false) => ({
    label,
    onSelect,
    danger,
    disabledBecause: forbidden,
  });
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${nameOf(schedule)}`}>
          <Ellipsis className="size-4" aria-hidden />
        </IconButton>
      }
      items={[
        { label: 'Earlier runs', onSelect: () => change({ runs: String(id) }) },
        item('Run now…', () => change({ start: String(id) })),
        item('Change…', () => change({ edit: String(id) })),
        item(enabled ? 'Disable' : 'Enable', turnIt),
        item('Remove…', () => change({ remove: String(id) }), true),
      ]}
    />
  );
}

/** Lists the schedules of an app, each with the time of its next run. */
export function ScheduleList() {
  const schedules = useAnswer('listSchedules', { params: useAppPath() });
  const forbidden = useForbidden('operate');
  const [isNew, setNew] = useSearchText('new');
  return (
    <Card
      title="Schedules"
      description="Commands that run at scheduled times. Runs of the same schedule never overlap."
      actions={
        <Button
          kind={schedules.length === 0 ? 'primary' : 'plain'}
          disabledBecause={forbidden}
          onClick={() => setNew('1')}
        >
          <Plus className="size-4" aria-hidden /> New schedule
        </Button>
      }
    >
      <Table label="Schedules" columns={COLUMNS} rows={schedules} keyOf={({ id }) => id} empty={<NoSchedule />} />
      {forbidden === null && isNew !== null && <ScheduleForm onClose={() => setNew(null)} />}
      <OpenRuns schedules={schedules} />
      {forbidden === null && <OpenDialog schedules={schedules} />}
    </Card>
  );
}

const findIn = (schedules: readonly Schedule[], id: string | null) => schedules.find((one) => String(one.id) === id);

/** Shows the command runs of a schedule. All users who may see the app may see these command runs. */
function OpenRuns({ schedules }: { schedules: readonly Schedule[] }) {
  const [runs] = useSearchText('runs');
  const change = useSearchChange();
  const shown = findIn(schedules, runs);
  return shown && <ScheduleRuns schedule={shown} onClose={() => change({ runs: null, pages: null })} />;
}

function OpenDialog({ schedules }: { schedules: readonly Schedule[] }) {
  const [edit, setEdit] = useSearchText('edit');
  const [remove, setRemove] = useSearchText('remove');
  const [start, setStart] = useSearchText('start');
  const [edited, removed, started] = [edit, remove, start].map((id) => findIn(schedules, id));
  return (
    <>
      {edited && <ScheduleForm key={edit} of={edited} onClose={() => setEdit(null)} />}
      {removed && <RemoveSchedule schedule={removed} onClose={() => setRemove(null)} />}
      {started && <RunScheduleNow schedule={started} onClose={() => setStart(null)} />}
    </>
  );
}

function NoSchedule() {
  const { project, environment, app } = useAppPath();
  return (
    <Empty title="No schedules">
      <p>A schedule runs a command with the live release, for example every night.</p>
      <IfMay permission="operate" what="create a schedule">
        <p>Create a schedule here or with the command line:</p>
        <div className="text-left">
          <Commands lines={[`davit schedule create ${project}/${environment}/${app} '0 3 * * *' -- <command>`]} />
        </div>
      </IfMay>
    </Empty>
  );
}
