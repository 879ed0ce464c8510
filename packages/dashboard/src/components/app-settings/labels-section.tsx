import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { type Pair, pairs } from './kinds.ts';

const FIELDS = { labels: pairs('Labels', ({ labels }) => labels) };

/** What people find the app by. */
export function LabelsSection() {
  const form = useAppForm(FIELDS);
  const { value, set, error } = form.field('labels');
  const put = (at: number, pair: Pair) => set(value.map((one, i) => (i === at ? pair : one)));
  return (
    <FormCard
      form={form}
      title="Labels"
      description="What you want to find it by, such as team = shop. They mean nothing to Davit."
      effect="Acts at once, and on nothing that runs."
      deploys={false}
    >
      {value.length === 0 && <p className="text-sm text-soft">No labels yet.</p>}
      {value.map(([key, text], i) => (
        // A label is told from its neighbours by its place while its key is being typed.
        // biome-ignore lint/suspicious/noArrayIndexKey: it is all that stays
        <div key={i} className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
          <TextField label={`Key ${i + 1}`} mono value={key} onChange={(event) => put(i, [event.target.value, text])} />
          <TextField
            label={`Value ${i + 1}`}
            mono
            value={text}
            onChange={(event) => put(i, [key, event.target.value])}
          />
          <IconButton label={`Remove the label ${key || i + 1}`} onClick={() => set(value.filter((_, at) => at !== i))}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      ))}
      {error && (
        <p role="alert" className="text-xs text-error">
          {error}
        </p>
      )}
      <div>
        <Button disabledBecause={form.forbidden} onClick={() => set([...value, ['', '']])}>
          <Plus className="size-4" aria-hidden />
          Add a label
        </Button>
      </div>
    </FormCard>
  );
}
