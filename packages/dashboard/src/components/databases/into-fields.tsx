import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../api.ts';
import type { EnvironmentPath } from '../../paths.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { slugProblem } from '../../util/slug.ts';
import { TwoColumns } from '../app-settings/fields.tsx';

export interface Into {
  /** Reference of the new database in the form `project/environment/name`. */
  reference: string;
  place: string;
  name: string;
  setPlace: (place: string) => void;
  /**
   * Environments that the user can select, in the form `project/environment`. The list contains the selected
   * environment even if it was deleted.
   */
  places: readonly string[];
  /** Error message if the selected environment was deleted, otherwise `null`. */
  gone: string | null;
  setName: (name: string) => void;
  /** Message about the first missing or wrong field of the form. `null` if the form can be submitted. */
  missing: string | null;
}

/**
 * Manages the form fields for the environment and the name of a new database. The new database is a copy of another
 * database, or is restored from a backup.
 */
export function useInto({ project, environment }: EnvironmentPath, proposed: string): Into {
  const [target, setTarget] = useState(`${project}/${environment}`);
  const [name, setName] = useState(proposed);
  const { data: projects } = useQuery(query('listProjects'));
  const known = projects?.flatMap(({ slug, environments }) => environments.map((one) => `${slug}/${one}`));
  const targets = [...new Set([target, ...(known ?? [])])];
  // The selected environment may not exist any more, for example because its project was deleted.
  const gone =
    known === undefined || known.includes(target)
      ? null
      : `The environment ${target} no longer exists. Choose another environment, or create it first.`;
  const missing = gone ?? (name === '' ? 'Enter a name for the database first.' : slugProblem(name));
  return {
    reference: `${target}/${name}`,
    place: target,
    places: targets,
    gone,
    name,
    setPlace: setTarget,
    setName,
    missing,
  };
}

interface FieldsProps {
  into: Into;
  error: Error | null;
  label?: string;
}

export function IntoFields({ into, error, label = 'Name of the new database' }: FieldsProps) {
  return (
    <TwoColumns>
      <SelectField
        label="Environment"
        options={into.places.map((value) => ({ value, label: value }))}
        value={into.place}
        onChange={into.setPlace}
        error={into.gone}
      />
      <TextField
        label={label}
        mono
        autoCapitalize="none"
        value={into.name}
        onChange={({ target }) => into.setName(target.value)}
        error={slugProblem(into.name) ?? errorFor(error, 'into')}
      />
    </TwoColumns>
  );
}
