import type { Schedule } from '@davit/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor, errorWithin } from '../../util/field-error.ts';
import { useAppPath } from '../../util/params.ts';
import { useSettled } from '../../util/settled.ts';
import { bodyOf, draftOf, missingIn, newDraft, type ScheduleDraft } from './schedule-draft.ts';
import { ScheduleTimesShown } from './schedule-times.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

const FIELDS = ['name', 'cron', 'time_zone', 'command', 'timeout_s'] as const;
const CHANGES = ['listSchedules'] as const;
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Renders the form for a schedule, which runs a command at certain times.
 * @param of existing schedule that the form changes; if it is absent, the form creates a schedule
 */
export function ScheduleForm({ of, onClose }: { of?: Schedule; onClose: () => void }) {
  const [draft, setDraft] = useState(() => (of ? draftOf(of) : newDraft(HERE)));
  const save = useSave(of, onClose);
  const settled = useSettled(draft);
  const { cron, time_zone } = bodyOf(settled);
  /*
   * Read `data` and `error` here. TanStack Query re-renders the component only when a field changes that the component
   * has read.
   */
  const { data: times, error: wrongTimes } = useQuery({
    ...query('listScheduleTimes', { query: { cron, time_zone } }),
    enabled: cron !== '',
    retry: false,
    placeholderData: keepPreviousData,
  });
  const set = (change: Partial<ScheduleDraft>) => setDraft((before) => ({ ...before, ...change }));
  // Show the error of the last save. If the last save had no error, show the error of the entered cron expression.
  const wrong = (field: 'cron' | 'time_zone') => errorFor(save.error, field) ?? errorFor(wrongTimes, field);
  return (
    <FormDialog
      wide
      title={of ? `Change ${of.name ?? `schedule ${of.id}`}` : 'New schedule'}
      description="Starts the command at each scheduled time, in a new container of the live release."
      action={of ? 'Save schedule' : 'Create schedule'}
      busy={save.isPending}
      disabledBecause={missingIn(draft)}
      error={save.error}
      onEdit={save.reset}
      fields={FIELDS}
      noValidate
      onSubmit={() => save.send(draft)}
      onClose={onClose}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Cron expression"
          mono
          autoFocus
          hint="minute hour day month weekday, or a name such as @daily"
          value={draft.cron}
          onChange={(event) => set({ cron: event.target.value })}
          error={wrong('cron')}
        />
        <TimeZoneField value={draft.timeZone} error={wrong('time_zone')} onChange={(timeZone) => set({ timeZone })} />
      </div>
      <ScheduleTimesShown times={wrongTimes ? null : times?.times} cron={settled.cron} timeZone={time_zone} />
      <CommandFields draft={draft} error={save.error} onChange={set} />
    </FormDialog>
  );
}

function CommandFields({
  draft,
  error,
  onChange,
}: {
  draft: ScheduleDraft;
  error: Error | null;
  onChange: (change: Partial<ScheduleDraft>) => void;
}) {
  return (
    <>
      <TextField
        label="Command"
        mono
        placeholder="npm run tidy"
        hint="A program and its arguments. For pipes and variables: sh -c '…'"
        value={draft.command}
        onChange={(event) => onChange({ command: event.target.value })}
        error={errorWithin(error, 'command')}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          note="optional"
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          error={errorFor(error, 'name')}
        />
        <TextField
          label="Timeout"
          note="seconds"
          inputMode="numeric"
          value={draft.timeout}
          onChange={(event) => onChange({ timeout: event.target.value })}
          error={errorFor(error, 'timeout_s')}
        />
      </div>
      <CheckField
        label="Enabled"
        hint="A disabled schedule starts no runs."
        checked={draft.enabled}
        onChange={(event) => onChange({ enabled: event.target.checked })}
      />
    </>
  );
}

function useSave(of: Schedule | undefined, onClose: () => void) {
  const params = useAppPath();
  const onDone = ({ name, id }: Schedule) => {
    say(`${of ? 'Changed' : 'Created'} ${name ?? `schedule ${id}`}.`);
    onClose();
  };
  const create = useCall('createSchedule', { changes: CHANGES, onDone });
  const change = useCall('patchSchedule', { changes: CHANGES, onDone });
  const { isPending, error, reset } = of ? change : create;
  const send = (draft: ScheduleDraft) => {
    const body = bodyOf(draft);
    if (of) change.mutate({ params: { ...params, schedule: String(of.id) }, body });
    else create.mutate({ params, body });
  };
  return { isPending, error, reset, send };
}
