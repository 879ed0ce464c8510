import { Search } from 'lucide-react';
import { useState } from 'react';

/** Renders a text field that filters a list. The text is written to the URL shortly after the user stops typing. */
export function FilterField({
  label,
  text,
  onChange,
}: {
  label: string;
  text: string | null;
  onChange: (text: string | null) => void;
}) {
  const [typed, setTyped] = useState(text ?? '');
  return (
    <div className="relative max-sm:min-w-36 max-sm:flex-1">
      <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-soft" aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(target.value || null);
        }}
        className="min-h-9 w-full rounded-md border border-edge/70 bg-panel pr-2 pl-8 text-sm placeholder:text-soft sm:w-48"
      />
    </div>
  );
}
