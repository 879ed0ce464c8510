import { TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { Beside } from '../app-settings/fields.tsx';

interface Limits {
  cpu: string;
  memory: string;
}

/** What it may use, as people write it. */
export function LimitFields({
  limits: { cpu, memory },
  error,
  onChange,
}: {
  limits: Limits;
  error: Error | null;
  onChange: (part: Partial<Limits>) => void;
}) {
  return (
    <Beside>
      <TextField
        label="CPU"
        note="cores"
        inputMode="decimal"
        hint="Such as 0.5 or 2. Empty: no limit."
        value={cpu}
        onChange={({ target }) => onChange({ cpu: target.value })}
        error={errorFor(error, 'limits.cpu')}
      />
      <TextField
        label="Memory"
        mono
        placeholder="512 MiB"
        hint="Empty: what the machine has, less what Davit keeps for itself."
        value={memory}
        onChange={({ target }) => onChange({ memory: target.value })}
        error={errorFor(error, 'limits.memory_bytes')}
      />
    </Beside>
  );
}
