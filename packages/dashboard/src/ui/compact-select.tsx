import type { Option } from './field.tsx';

/**
 * Renders a small select field for filters. The label is not visible. A tooltip shows the label, and screen readers
 * read it.
 */
export function CompactSelect<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly Option<V>[];
  onChange: (value: V) => void;
}) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.target.value as V)}
      className={`min-h-8 max-w-44 rounded-md border bg-panel px-2 text-xs ${value === '' ? 'border-edge/70 text-soft' : 'border-accent text-accent'}`}
    >
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  );
}
