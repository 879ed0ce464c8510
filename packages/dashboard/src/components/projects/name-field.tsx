import { TextField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';

/**
 * Renders the form field for the name of a new resource. The name cannot be changed later. The browser checks the name
 * while the user types, and the server checks the name again.
 */
export function NameField({
  name,
  onChange,
  refused,
}: {
  name: string;
  onChange: (name: string) => void;
  /** Error message of the server if the server rejected the entered name. Otherwise `null`. */
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
