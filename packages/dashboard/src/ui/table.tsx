import type { ReactNode } from 'react';

export interface Column<T> {
  /** Heading of the table column. For a column of buttons, the heading says what the buttons do. */
  name: string;
  /** Whether the column heading is visible only to screen readers. */
  hideName?: boolean;
  cell: (row: T) => ReactNode;
  wideOnly?: boolean;
  end?: boolean;
}

/**
 * Renders a table. Define the table columns as a module-level constant, because React then gets the same object at each
 * render.
 */
export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
  empty,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  empty?: ReactNode;
}) {
  if (rows.length === 0 && empty) return empty;
  const shown = (column: Column<T>) =>
    `${column.wideOnly ? 'max-md:hidden' : ''} ${column.end ? 'text-right' : 'text-left'}`;
  return (
    <div className="relative overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-soft">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={`px-2 py-2 font-medium first:pl-0 last:pr-0 md:px-3 ${shown(column)}`}
              >
                <span className={column.hideName ? 'sr-only' : ''}>{column.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td
                  key={column.name}
                  className={`px-2 py-2 align-middle first:pl-0 last:pr-0 md:px-3 ${shown(column)}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
