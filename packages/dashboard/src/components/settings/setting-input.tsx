import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import type { SettingField } from './section.ts';

/** Renders the form field of an instance setting. An empty form field shows the default value as placeholder. */
export function SettingInput({
  field,
  text,
  error,
  onChange,
}: {
  field: SettingField;
  text: string;
  error: string | null;
  onChange: (text: string) => void;
}) {
  const { label, hint, kind, unit, usual, placeholder = usual } = field;
  if (kind === 'check') {
    return (
      <CheckField
        label={label}
        hint={hint}
        checked={text === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  }
  const shared = { label, hint, error, note: unit, value: text };
  if (kind === 'pem') {
    return (
      <TextArea {...shared} mono placeholder="-----BEGIN CERTIFICATE-----" onChange={(e) => onChange(e.target.value)} />
    );
  }
  if (kind === 'list' || kind === 'services') {
    return <TextArea {...shared} mono rows={3} placeholder={placeholder} onChange={(e) => onChange(e.target.value)} />;
  }
  const isNumber = kind !== 'text';
  return (
    <TextField
      {...shared}
      placeholder={placeholder}
      inputMode={isNumber ? 'decimal' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
