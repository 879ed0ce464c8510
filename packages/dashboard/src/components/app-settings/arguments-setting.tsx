import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FieldRows } from '../../ui/field-rows.tsx';
import { joinArguments, splitArguments } from './arguments.ts';
import type { Bound } from './form.ts';

export interface ArgumentsProps {
  /** Form field for command arguments. The field's value is one command line. */
  of: Bound<string>;
  hint: ReactNode;
  placeholder?: string;
}

/**
 * Renders the form field for the command-line arguments of a process. Users can edit the arguments as one line, or as a
 * list with one argument per field.
 */
export function ArgumentsSetting({ of, ...words }: ArgumentsProps) {
  const [asList, setAsList] = useState(false);
  const { label, value, error } = of;
  const split = splitArguments(value);
  const args = 'args' in split ? split.args : [];
  return (
    <div className="flex flex-col gap-1.5">
      {asList ? (
        <ArgumentFields of={of} args={args} hint={words.hint} />
      ) : (
        <TextField {...words} {...{ label, value, error }} mono onChange={(event) => of.set(event.target.value)} />
      )}
      <div className="flex items-start justify-between gap-2">
        {asList ? <span /> : <Arguments label={label} args={args} />}
        <Button
          kind="quiet"
          className="-mr-2 min-h-6 px-2 text-xs"
          disabledBecause={'why' in split ? `Cannot split the line: ${split.why}.` : null}
          onClick={() => setAsList(!asList)}
        >
          {asList ? 'Edit as one line' : 'Edit as list'}
          <span className="sr-only">: {label}</span>
        </Button>
      </div>
    </div>
  );
}

function Arguments({ label, args }: { label: string; args: readonly string[] }) {
  if (args.length === 0) return <span />;
  return (
    <ol aria-label={`${label}, as a list`} className="flex min-w-0 flex-1 flex-wrap gap-1">
      {numbered(args).map(({ at, arg }) => (
        <li
          key={at}
          className="max-w-full rounded bg-sunken px-1.5 py-0.5 font-mono text-xs break-all whitespace-pre-wrap"
        >
          {arg === '' ? <span className="text-soft italic">empty</span> : arg}
        </li>
      ))}
    </ol>
  );
}

/**
 * Returns the arguments with their indexes. The indexes are the React keys, because the same argument may occur twice.
 */
function numbered(args: readonly string[]): { at: number; arg: string }[] {
  return args.map((arg, at) => ({ at, arg }));
}

function ArgumentFields({
  of: { label, error, set },
  args,
  hint,
}: Pick<ArgumentsProps, 'of' | 'hint'> & { args: readonly string[] }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-medium">{label}</legend>
      <p className="text-xs text-soft">{hint}</p>
      <FieldRows
        rows={args}
        onChange={(next) => set(joinArguments(next))}
        grid="grid-cols-[1fr_auto]"
        nameOf={(_, number) => `argument ${number} of ${label}`}
        add="Add argument"
        blank=""
        error={error}
      >
        {(arg, put, number) => (
          <TextField
            label={`${label}, argument ${number}`}
            mono
            value={arg}
            onChange={(event) => put(event.target.value)}
          />
        )}
      </FieldRows>
    </fieldset>
  );
}
