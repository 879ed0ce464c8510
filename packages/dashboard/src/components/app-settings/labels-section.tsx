import { TextField } from '../../ui/field.tsx';
import { FieldRows } from '../../ui/field-rows.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { pairs } from './kinds.ts';

const FIELDS = { labels: pairs('Labels', ({ labels }) => labels) };

export function LabelsSection() {
  const form = useAppForm(FIELDS);
  const { value, set, error } = form.field('labels');
  return (
    <FormCard
      form={form}
      title="Labels"
      description="Labels to filter apps by, such as team = shop. Labels have no effect on the app."
      effect="Applies immediately. Running replicas are not affected."
      deploys={false}
    >
      {value.length === 0 && <p className="text-sm text-soft">No labels yet.</p>}
      <FieldRows
        rows={value}
        onChange={set}
        grid="grid-cols-[1fr_1fr_auto]"
        nameOf={([key], number) => `label ${key || number}`}
        add="Add label"
        blank={['', '']}
        error={error}
        disabledBecause={form.forbidden}
      >
        {([key, text], put, number) => (
          <>
            <TextField label={`Key ${number}`} mono value={key} onChange={(event) => put([event.target.value, text])} />
            <TextField
              label={`Value ${number}`}
              mono
              value={text}
              onChange={(event) => put([key, event.target.value])}
            />
          </>
        )}
      </FieldRows>
    </FormCard>
  );
}
