import { Link } from '@tanstack/react-router';
import { Pencil, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import type { Entry } from './changes.ts';
import type { VariablesDraft } from './draft.ts';
import { type Level, variablesPathOf } from './level.ts';
import { refusalOf } from './refusal.ts';
import type { VariableRow } from './rows.ts';
import { Value } from './value.tsx';
import { ValueForm } from './variable-form.tsx';

const GRID =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_8.5rem_5.5rem]';
const CHANGES = { added: 'new', changed: 'changed', removed: 'removed' } as const;
const MARKS = {
  added: 'border-good bg-good-soft/60',
  changed: 'border-warning bg-warning-soft/60',
  removed: 'border-error bg-error-soft/60',
} as const;

export interface TableProps {
  level: Level;
  rows: readonly VariableRow[];
  draft: VariablesDraft;
  forbidden: string | null;
  /** Error of the last save, or `null`. */
  error: Error | null;
}

/**
 * Renders the table of environment variables. The table also shows where each variable is set. On narrow screens, each
 * variable is a block instead of a table row.
 */
export function VariableTable({ rows, ...rest }: TableProps) {
  const [editing, setEditing] = useState<string | null>(null);
  return (
    <table aria-label="Variables" className="block text-sm">
      <thead className="block max-md:sr-only">
        <tr
          className={`${GRID} -mx-2 border-b border-l-2 border-b-line border-l-transparent px-2 pb-1.5 text-xs text-soft`}
        >
          {['Name', 'Value', 'Source', 'Actions'].map((name) => (
            <th key={name} scope="col" className={`font-medium ${name === 'Actions' ? 'text-right' : 'text-left'}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block">
        {rows.map((row) => (
          <Row
            key={row.key}
            {...rest}
            row={row}
            isEditing={editing === row.key}
            onEdit={(on) => setEditing(on ? row.key : null)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<TableProps, 'rows'> {
  row: VariableRow;
  isEditing: boolean;
  onEdit: (on: boolean) => void;
}

function Row({ row, isEditing, onEdit, ...rest }: RowProps) {
  const { key, change } = row;
  const refused = refusalOf(rest.error, key);
  return (
    <tr
      className={`${GRID} -mx-2 gap-y-1 border-b border-l-2 border-b-line px-2 py-1.5 last:border-b-0 ${change ? MARKS[change] : 'border-l-transparent'}`}
    >
      <th scope="row" className="flex min-w-0 items-center gap-2 text-left max-md:order-1">
        <span
          className={`truncate font-mono text-[0.8125rem] font-medium ${change === 'removed' ? 'line-through' : ''}`}
          title={key}
        >
          {key}
        </span>
        {change && <span className="shrink-0 text-xs font-normal text-soft">{CHANGES[change]}</span>}
      </th>
      <td className="min-w-0 max-md:order-3 max-md:col-span-2">
        {row.entry && <Value name={key} entry={row.entry} />}
      </td>
      <td className="min-w-0 max-md:order-4 max-md:col-span-2">
        <Origin row={row} level={rest.level} />
      </td>
      <td className="flex justify-end max-md:order-2">
        <RowActions row={row} onEdit={onEdit} {...rest} />
      </td>
      {isEditing && (
        <td className="order-5 col-span-full py-1">
          <ValueForm
            name={key}
            entry={row.entry ?? { value: '', secret: false }}
            onCancel={() => onEdit(false)}
            onDone={(entry) => {
              rest.draft.edit(key, entry);
              onEdit(false);
            }}
          />
        </td>
      )}
      {refused && (
        <td role="alert" className="order-6 col-span-full text-xs text-error">
          {refused}
        </td>
      )}
    </tr>
  );
}

/**
 * Shows whether an environment variable is set in the project, the environment or the app. Also shows the inherited
 * variables that this variable overrides.
 */
function Origin({ row: { entry, source, overrides, change }, level }: { row: VariableRow; level: Level }) {
  const isHere = source === level.source;
  if (change === 'removed' && !entry) return null;
  return (
    <span className="flex flex-wrap gap-x-2 text-xs text-soft">
      {isHere && <span>this {source}</span>}
      {source === 'attachment' && <span>attachment</span>}
      {!isHere && source !== 'attachment' && (
        <Link to={variablesPathOf(level, source)} className="text-accent underline-offset-2 hover:underline">
          {source}
        </Link>
      )}
      {overrides.length > 0 && (
        <span title={overrides.map((one) => said(one)).join('\n')}>
          overrides {overrides.map((one) => one.source).join(', ')}
        </span>
      )}
    </span>
  );
}

function said({ source, entry }: { source: string; entry: Entry }): string {
  return `${source}: ${entry.secret || entry.value === null ? '••••••••' : entry.value}`;
}

function RowActions({ row, draft, forbidden, onEdit }: Omit<RowProps, 'isEditing'>) {
  const { key, change, isOwn } = row;
  if (change === 'removed') {
    return (
      <IconButton label={`Keep ${key}`} onClick={() => draft.undo(key)}>
        <Undo2 className="size-4" aria-hidden />
      </IconButton>
    );
  }
  const label = isOwn ? `Edit ${key}` : `Set ${key} here`;
  return (
    <>
      {change === 'changed' && (
        <IconButton label={`Undo the change of ${key}`} onClick={() => draft.undo(key)}>
          <Undo2 className="size-4" aria-hidden />
        </IconButton>
      )}
      <IconButton label={label} disabledBecause={forbidden} onClick={() => onEdit(true)}>
        <Pencil className="size-4" aria-hidden />
      </IconButton>
      {isOwn && (
        <IconButton label={`Remove ${key}`} disabledBecause={forbidden} onClick={() => draft.edit(key, null)}>
          <Trash2 className="size-4" aria-hidden />
        </IconButton>
      )}
    </>
  );
}
