import { type ReactNode, useId } from 'react';
import { FieldError } from './field.tsx';

export interface Choice<V extends string> {
  value: V;
  label: string;
  /** Sentence below a radio button that explains the option. */
  hint?: ReactNode;
  /** Reason why the radio button is disabled, or `null` if it is enabled. */
  disabledBecause?: string | null;
}

export function RadioGroup<V extends string>({
  label,
  choices,
  value,
  onChange,
  error,
}: {
  label: string;
  choices: readonly Choice<V>[];
  value: V;
  onChange: (value: V) => void;
  error?: string | null;
}) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {choices.map((choice) => (
        <One key={choice.value} id={id} choice={choice} checked={choice.value === value} onChange={onChange} />
      ))}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

function One<V extends string>({
  id,
  choice: { value, label, hint, disabledBecause = null },
  checked,
  onChange,
}: {
  id: string;
  choice: Choice<V>;
  checked: boolean;
  onChange: (value: V) => void;
}) {
  const said = disabledBecause ?? hint;
  return (
    <div className="flex items-start gap-2 text-sm">
      <input
        id={`${id}-${value}`}
        type="radio"
        name={id}
        checked={checked}
        disabled={disabledBecause !== null}
        onChange={() => onChange(value)}
        aria-describedby={said ? `${id}-${value}-hint` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={`${id}-${value}`} className={disabledBecause === null ? '' : 'text-soft'}>
          {label}
        </label>
        {said && (
          <p id={`${id}-${value}-hint`} className="text-xs text-soft">
            {said}
          </p>
        )}
      </div>
    </div>
  );
}
