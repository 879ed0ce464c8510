import { TextField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';

/** A name that stays: judged while it is typed, and by the instance when it is sent. */
export function NameField({
  name,
  onChange,
  refused,
}: {
  name: string;
  onChange: (name: string) => void;
  /** What the instance said of it. */
  refused: string | null;
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
      hint="Lower-case letters, digits and inner hyphens. It is part of host names and cannot be changed."
      error={slugProblem(name) ?? refused}
    />
  );
}
