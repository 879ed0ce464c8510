import { type ComponentProps, type ReactNode, useId } from 'react';

const BOX =
  'w-full rounded-md border border-edge/70 bg-panel px-2.5 min-h-9 text-sm text-text placeholder:text-soft disabled:opacity-60 aria-invalid:border-error';

export interface FieldProps {
  label: string;
  /** Sentence below the form field that explains the purpose or the valid values of the field. */
  hint?: ReactNode;
  /** Error message of the form field, preferably the server's message. `null` or absent if there is no error. */
  error?: string | null | undefined;
  /** Text next to the label of the form field, such as `optional` or a unit. */
  note?: ReactNode;
  className?: string;
}

interface Wired {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/**
 * Renders a form control with its label, hint and error. ARIA attributes connect the hint and the error with the
 * control.
 */
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
        <span className="min-w-0 break-words">{label}</span>
        {note && <span className="text-xs font-normal text-soft">{note}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** Renders the error message of a field or a group of fields. Renders nothing if there is no error. */
export function FieldError({ error, ...rest }: { error: string | null | undefined; id?: string; className?: string }) {
  if (!error) return null;
  return (
    <p {...rest} role="alert" className={`text-xs text-error ${rest.className ?? ''}`}>
      {error}
    </p>
  );
}

type Own = 'id' | 'className';

/** Splits props into two groups: props for the label, hint and error, and props for the HTML input element. */
function apart<P extends FieldProps>({ label, hint, error, note, className = '', ...control }: P) {
  return { field: { label, hint, error, note, className }, control };
}

export function TextField(props: FieldProps & Omit<ComponentProps<'input'>, Own> & { mono?: boolean }) {
  const {
    field,
    control: { mono, ...input },
  } = apart(props);
  return (
    <Field {...field}>
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

export function TextArea(props: FieldProps & Omit<ComponentProps<'textarea'>, Own> & { mono?: boolean }) {
  const {
    field,
    control: { mono, ...input },
  } = apart(props);
  return (
    <Field {...field}>
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

/** Renders a native HTML `select` element, because it supports keyboards, screen readers and mobile devices. */
export function SelectField<V extends string>(
  props: FieldProps & {
    options: readonly Option<V>[];
    value: V;
    onChange: (value: V) => void;
  } & Omit<ComponentProps<'select'>, Own | 'value' | 'onChange'>,
) {
  const {
    field,
    control: { options, value, onChange, ...select },
  } = apart(props);
  return (
    <Field {...field}>
      {(wired) => (
        // The type cast to `V` is safe, because the value of a `select` element is always one of its options.
        <select
          {...select}
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
      <div className="min-w-0">
        <label htmlFor={id} className="break-words">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
