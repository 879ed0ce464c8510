import type { Schedule } from '@davit/api';
import { useCall } from '../../api.ts';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath } from '../../util/params.ts';
import { lineOf } from './command-words.ts';
import { useOpenRun } from './use-open-run.ts';

export interface ScheduleDialogProps {
  schedule: Schedule;
  onClose: () => void;
}

export function nameOf({ name, id }: Schedule): string {
  return name ?? `schedule ${id}`;
}

/**
 * Renders the dialog in which the user confirms to run the command of a schedule immediately. After the confirmation,
 * the page shows the details of the new run.
 */
export function RunScheduleNow({ schedule, onClose }: ScheduleDialogProps) {
  const params = useAppPath();
  const open = useOpenRun();
  const run = useCall('runSchedule', {
    changes: ['listRuns', 'listSchedules'],
    onDone: ({ id }) => open(id),
  });
  return (
    <FormDialog
      title={`Run ${nameOf(schedule)} now?`}
      description="Runs the command with the live release now. The next scheduled time does not change."
      action="Run now"
      busy={run.isPending}
      error={run.error}
      onSubmit={() => run.mutate({ params: { ...params, schedule: String(schedule.id) } })}
      onClose={onClose}
    >
      <code className="rounded-md bg-sunken p-2.5 font-mono text-xs break-all">{lineOf(schedule.command)}</code>
    </FormDialog>
  );
}

export function RemoveSchedule({ schedule, onClose }: ScheduleDialogProps) {
  const params = useAppPath();
  const remove = useCall('removeSchedule', {
    changes: ['listSchedules'],
    onDone: () => {
      say(`Removed ${nameOf(schedule)}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove ${nameOf(schedule)}?`}
      action="Remove schedule"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { ...params, schedule: String(schedule.id) } })}
    >
      <p>
        The schedule does not start the command again. If the command is running, it continues. Earlier runs stay in the
        list.
      </p>
      <code className="font-mono text-xs break-all">
        {schedule.cron} · {schedule.time_zone} · {lineOf(schedule.command)}
      </code>
    </ConfirmDialog>
  );
}
