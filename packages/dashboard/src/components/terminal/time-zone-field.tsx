import { useId } from 'react';
import { TextField } from '../../ui/field.tsx';

/** Renders a field for an IANA time zone name. The field suggests the time zone names that the browser supports. */
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
        hint="Time zone of the schedule, such as UTC or Europe/Berlin."
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
