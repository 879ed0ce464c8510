import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { FieldError } from './field.tsx';

/**
 * Renders rows of fields that can be added and removed. A row is identified by its index, because the user can change
 * all its values.
 */
export function FieldRows<T>({
  rows,
  onChange,
  children,
  grid,
  nameOf,
  add,
  blank,
  error,
  disabledBecause = null,
}: {
  rows: readonly T[];
  onChange: (rows: T[]) => void;
  /** Renders the fields of a row. */
  children: (row: T, set: (row: T) => void, number: number) => ReactNode;
  /** CSS classes for the columns of the fields and, last, of the remove button. */
  grid: string;
  /** Returns the object for the label of the remove button, such as `the label team`. */
  nameOf: (row: T, number: number) => string;
  /** Label of the button that adds a row. */
  add: string;
  blank: T;
  error: string | null | undefined;
  /** Reason why no row can be added, or `null` if a row can be added. */
  disabledBecause?: string | null;
}) {
  return (
    <>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: it is all that stays
        <div key={at} className={`grid items-end gap-2 ${grid}`}>
          {children(row, (next) => onChange(rows.with(at, next)), at + 1)}
          <IconButton label={`Remove ${nameOf(row, at + 1)}`} onClick={() => onChange(rows.toSpliced(at, 1))}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      ))}
      <FieldError error={error} />
      <div>
        <Button disabledBecause={disabledBecause} onClick={() => onChange([...rows, blank])}>
          <Plus className="size-4" aria-hidden /> {add}
        </Button>
      </div>
    </>
  );
}
