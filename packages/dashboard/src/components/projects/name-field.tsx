import type { ReactNode } from 'react';
import { TextField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';

/** A name that stays: judged while it is typed, and by the instance when it is sent. */
export function NameField({
  name,
  onChange,
  refused,
  hint,
}: {
  name: string;
  onChange: (name: string) => void;
  /** What the instance said of it. */
  refused: string | null;
  hint: ReactNode;
}) {
  return (
    <TextField
      label="Name"
      mono
      required
      autoFocus
      autoCapitalize="none"
      value={name}
      onChange={(event) => onChange(event.target.value)}
      hint={hint}
      error={slugProblem(name) ?? refused}
    />
  );
}
