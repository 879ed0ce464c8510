import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CompactSelect } from '../../ui/compact-select.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { fromLocalField, momentIn, SPANS, shortTime, toLocalField } from './period.ts';
import type { LogAddress, SetLogAddress } from './use-log-address.ts';

/**
 * Renders the choice of the log period. The user can choose live log lines, a time span until now, or a fixed start and
 * end time.
 */
export function PeriodField({ address: { since, until }, set }: { address: LogAddress; set: SetLogAddress }) {
  const [isOpen, setOpen] = useState(false);
  const isLive = since === null && until === null;
  const isSpan = until === null && SPANS.some(([span]) => span === since);
  const chosen = isLive ? '' : isSpan ? (since ?? '') : 'custom';
  const choose = (value: string) => {
    if (value === 'custom' || value === 'again') return setOpen(true);
    set({ since: value || null, until: null, line: null });
  };
  return (
    <>
      <CompactSelect
        label="Time range"
        value={chosen}
        onChange={choose}
        options={[
          { value: '', label: 'Live' },
          ...SPANS.map(([value, label]) => ({ value, label })),
          { value: 'custom', label: chosen === 'custom' ? between(since, until) : 'From … to …' },
          ...(chosen === 'custom' ? [{ value: 'again', label: 'Custom…' }] : []),
        ]}
      />
      {isOpen && <PeriodDialog {...{ since, until, set }} onClose={() => setOpen(false)} />}
    </>
  );
}

function between(since: string | null, until: string | null): string {
  const [from, to] = [momentIn(since, Date.now()), momentIn(until, Date.now())];
  return `${from === null ? 'the beginning' : shortTime(from)} – ${to === null ? 'now' : shortTime(to)}`;
}

interface PeriodDialogProps {
  since: string | null;
  until: string | null;
  set: SetLogAddress;
  onClose: () => void;
}

function PeriodDialog({ since, until, set, onClose }: PeriodDialogProps) {
  const [from, setFrom] = useState(toLocalField(momentIn(since, Date.now())));
  const [to, setTo] = useState(toLocalField(momentIn(until, Date.now())));
  const isBackwards = from !== '' && to !== '' && from >= to;
  const apply = () => {
    if (isBackwards) return;
    set({ since: fromLocalField(from), until: fromLocalField(to), line: null });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Custom time range"
      description="Times are in local time. If “From” is blank, the range starts with the oldest line. If “To” is blank, the range ends now."
    >
      <Form onSubmit={apply} className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="From"
          type="datetime-local"
          step={1}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label="To"
          type="datetime-local"
          step={1}
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={isBackwards ? 'The end of the range must be after its start.' : null}
        />
        <div className="sm:col-span-2">
          <Actions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="primary">
              Show lines
            </Button>
          </Actions>
        </div>
      </Form>
    </Dialog>
  );
}
