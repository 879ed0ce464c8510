import { type ComponentProps, type ReactNode, useId } from 'react';

const BOX =
  'w-full rounded-md border border-edge/70 bg-panel px-2.5 min-h-9 text-sm text-text placeholder:text-soft disabled:opacity-60 aria-invalid:border-error';

export interface FieldProps {
  label: string;
  /** What it is for or takes, in a sentence below it. */
  hint?: ReactNode;
  /** What is wrong with it; the server's sentence where it has one. */
  error?: string | null | undefined;
  /** Beside the label: «optional», a unit. */
  note?: ReactNode;
  className?: string;
}

interface Wired {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** A control with its label, and what it is for and what is wrong with it tied to it. */
export function Field({
  label,
  hint,
  error,
  note,
  className = '',
  children,
}: FieldProps & { children: (wired: Wired) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="flex items-baseline justify-between gap-2 text-sm font-medium">
        {label}
        {note && <span className="text-xs font-normal text-soft">{note}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-error">
          {error}
        </p>
      )}
    </div>
  );
}

type Own = 'id' | 'className';

export function TextField({
  label,
  hint,
  error,
  note,
  className,
  mono,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, Own> & { mono?: boolean }) {
  return (
    <Field {...{ label, hint, error, note, className: className ?? '' }}>
      {(wired) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...wired}
          className={`${BOX} ${mono ? 'font-mono' : ''}`}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  note,
  className,
  mono,
  ...input
}: FieldProps & Omit<ComponentProps<'textarea'>, Own> & { mono?: boolean }) {
  return (
    <Field {...{ label, hint, error, note, className: className ?? '' }}>
      {(wired) => (
        <textarea
          rows={5}
          spellCheck={false}
          {...input}
          {...wired}
          className={`${BOX} py-1.5 ${mono ? 'font-mono text-xs' : ''}`}
        />
      )}
    </Field>
  );
}

export interface Option<V extends string> {
  value: V;
  label: string;
}

/** The browser's own list: it is right for keyboards, screen readers and phones. */
export function SelectField<V extends string>({
  label,
  hint,
  error,
  note,
  className,
  options,
  value,
  onChange,
  ...rest
}: FieldProps & {
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
} & Omit<ComponentProps<'select'>, Own | 'value' | 'onChange'>) {
  return (
    <Field {...{ label, hint, error, note, className: className ?? '' }}>
      {(wired) => (
        // The options are all that can be chosen.
        <select
          {...rest}
          {...wired}
          value={value}
          onChange={(event) => onChange(event.target.value as V)}
          className={BOX}
        >
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<'input'>, Own | 'type'>) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-sm">
      <input
        id={id}
        type="checkbox"
        {...input}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
