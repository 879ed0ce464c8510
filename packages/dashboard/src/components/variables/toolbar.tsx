import { count } from '@davit/api';
import { ClipboardPaste, Plus, Search } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useSearchText } from '../../util/params.ts';
import type { Origin } from './rows.ts';

const BOX = 'min-h-9 rounded-md border border-edge/70 bg-panel px-2.5 text-sm placeholder:text-soft';

/** Renders the filters for environment variables, and the buttons that add or import variables. */
export function VariablesToolbar({
  sources,
  forbidden,
  shown,
  of,
  onAdd,
  onPaste,
}: {
  sources: readonly Origin[];
  forbidden: string | null;
  shown: number;
  of: number;
  onAdd: () => void;
  onPaste: () => void;
}) {
  const [text, setText] = useSearchText('find');
  const [origin, setOrigin] = useSearchText('origin');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="relative min-w-44 flex-1">
        <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-soft" aria-hidden />
        <input
          type="search"
          aria-label="Search variables by name or value"
          placeholder="Search by name or value"
          value={text ?? ''}
          onChange={(event) => setText(event.target.value || null)}
          className={`${BOX} w-full pl-8`}
        />
      </div>
      {sources.length > 1 && (
        <select
          aria-label="Source"
          value={origin ?? ''}
          onChange={(event) => setOrigin(event.target.value || null)}
          className={BOX}
        >
          <option value="">All sources</option>
          {sources.map((source) => (
            <option key={source} value={source}>
              Source: {source}
            </option>
          ))}
        </select>
      )}
      <span role="status" className="text-xs text-soft">
        {shown === of ? count(of, 'variable') : `${shown} of ${of}`}
      </span>
      <span className="flex gap-2 max-sm:w-full">
        <Button disabledBecause={forbidden} onClick={onPaste}>
          <ClipboardPaste className="size-4" aria-hidden />
          Import .env
        </Button>
        <Button kind="primary" disabledBecause={forbidden} onClick={onAdd}>
          <Plus className="size-4" aria-hidden />
          Add variable
        </Button>
      </span>
    </div>
  );
}
