import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { FieldError } from './field.tsx';

/**
 * Renders rows of form fields, which users can add and remove. The React key of a row is its index, because users can
 * change every value in the row.
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
  children: (row: T, set: (row: T) => void, number: number) => ReactNode;
  /** CSS grid classes for the columns of a row. The form fields come first, then the remove button. */
  grid: string;
  /**
   * Returns a name for a row, for the label of the row's remove button. For example, the name `the port 8080` results
   * in the label `Remove the port 8080`.
   */
  nameOf: (row: T, number: number) => string;
  /** Label of the button that adds a row. */
  add: string;
  blank: T;
  error: string | null | undefined;
  /** Reason why the user cannot add a row. `null` if the user can add a row. Default: `null`. */
  disabledBecause?: string | null;
}) {
  return (
    <>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: users can change all other values of a row
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
