import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { FieldError } from './field.tsx';

/**
 * Rows of fields, of which each can be taken away and another one added. A row is told from its neighbours by its place:
 * everything else in it may be typed anew.
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
  /** The fields of a row. */
  children: (row: T, set: (row: T) => void, number: number) => ReactNode;
  /** The columns of the fields and, last, of the button, as classes. */
  grid: string;
  /** What is removed, in the words of the button that does it: «the label team». */
  nameOf: (row: T, number: number) => string;
  /** What the button says that adds one. */
  add: string;
  blank: T;
  error: string | null | undefined;
  /** Why none can be added; null: one can. */
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
