import { TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { TwoColumns } from '../app-settings/fields.tsx';

interface Limit {
  value: string;
  error: string | null;
  set: (text: string) => void;
}

export function LimitFields({ cpu, memory }: { cpu: Limit; memory: Limit }) {
  return (
    <TwoColumns>
      <TextField
        label="CPU"
        note="cores"
        inputMode="decimal"
        hint="Number of cores, such as 0.5 or 2. Leave blank for no limit."
        value={cpu.value}
        onChange={({ target }) => cpu.set(target.value)}
        error={cpu.error}
      />
      <TextField
        label="Memory"
        mono
        placeholder="512 MiB"
        hint="An amount such as 512 MiB or 1.5 GiB. Leave blank to allow all memory of the server, except the part that Davit reserves."
        value={memory.value}
        onChange={({ target }) => memory.set(target.value)}
        error={memory.error}
      />
    </TwoColumns>
  );
}

interface Typed {
  cpu: string;
  memory: string;
}

/**
 * Returns the props of the form fields for CPU and memory limits. The props contain the values that the user has
 * entered, and the errors of the last request.
 */
export function limitsIn(draft: Typed, error: Error | null, onChange: (part: Partial<Typed>) => void) {
  return {
    cpu: { value: draft.cpu, error: errorFor(error, 'limits.cpu'), set: (cpu: string) => onChange({ cpu }) },
    memory: {
      value: draft.memory,
      error: errorFor(error, 'limits.memory_bytes'),
      set: (memory: string) => onChange({ memory }),
    },
  };
}
