import { useId } from 'react';
import { TextField } from '../../ui/field.tsx';

/** Any name that the time zone database has; those that this browser knows are offered. */
export function TimeZoneField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | null;
  onChange: (timeZone: string) => void;
}) {
  const id = useId();
  return (
    <>
      <TextField
        label="Time zone"
        list={id}
        hint="Whose clock is meant, such as UTC or Europe/Berlin."
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={error}
      />
      <datalist id={id}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
