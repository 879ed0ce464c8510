import type { Run } from '@davit/api';
import { useEarlier } from '../../earlier.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ShowEarlier } from '../../ui/show-earlier.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';
import { RunResult, took } from './run-status.tsx';
import { nameOf, type ScheduleDialogProps } from './schedule-dialogs.tsx';
import { useOpenRun } from './use-open-run.ts';

const COLUMNS: readonly Column<Run>[] = [
  { name: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Result', cell: (run) => <OpenRun run={run} /> },
  { name: 'Duration', cell: took, wideOnly: true },
  { name: 'Error', cell: ({ error }) => error ?? '', wideOnly: true },
];

function OpenRun({ run }: { run: Run }) {
  const open = useOpenRun();
  return (
    <button type="button" className="min-h-6 hover:underline" onClick={() => open(run.id)}>
      <RunResult run={run} />
    </button>
  );
}

/**
 * Lists the command runs of a schedule, newest first. The list includes skipped runs. The route loader fetches the
 * first page of this list.
 */
export function ScheduleRuns({ schedule, onClose }: ScheduleDialogProps) {
  const runs = useEarlier('listScheduleRuns', { params: { ...useAppPath(), schedule: String(schedule.id) } });
  const title = `Earlier runs of ${nameOf(schedule)}`;
  return (
    <Dialog open wide onOpenChange={(open) => open || onClose()} title={title}>
      <Table
        label={title}
        columns={COLUMNS}
        rows={runs.items}
        keyOf={({ id }) => id}
        empty={<p className="text-sm text-soft">No runs yet.</p>}
      />
      <ShowEarlier of={runs} />
    </Dialog>
  );
}
