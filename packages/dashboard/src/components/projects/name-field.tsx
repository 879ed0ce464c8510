import { TextField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';

/** Renders a field for a permanent name. The name is checked while the user types and again by the instance. */
export function NameField({
  name,
  onChange,
  refused,
}: {
  name: string;
  onChange: (name: string) => void;
  /** Error of the instance about the name. */
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
      hint="Lowercase letters, digits and hyphens. The name becomes part of host names and cannot be changed later."
      error={slugProblem(name) ?? refused}
    />
  );
}
