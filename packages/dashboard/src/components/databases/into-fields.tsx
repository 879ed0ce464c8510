import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../api.ts';
import type { EnvironmentPath } from '../../paths.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { slugProblem } from '../../util/slug.ts';
import { Beside } from '../app-settings/fields.tsx';

export interface Into {
  /** `project/environment/name`. */
  reference: string;
  place: string;
  name: string;
  setPlace: (place: string) => void;
  setName: (name: string) => void;
  /** What is missing, in a sentence; null: it can be sent. */
  missing: string | null;
}

/** Where a new database is made of what another one had. */
export function useInto({ project, environment }: EnvironmentPath, proposed: string): Into {
  const [place, setPlace] = useState(`${project}/${environment}`);
  const [name, setName] = useState(proposed);
  const missing = name === '' ? 'Give the new database a name first.' : slugProblem(name);
  return { reference: `${place}/${name}`, place, name, setPlace, setName, missing };
}

export function IntoFields({ into, error }: { into: Into; error: Error | null }) {
  const { data: projects = [] } = useQuery(query('listProjects'));
  const known = projects.flatMap(({ slug, environments }) => environments.map((one) => `${slug}/${one}`));
  const places = [...new Set([into.place, ...known])];
  return (
    <Beside>
      <SelectField
        label="Into"
        options={places.map((value) => ({ value, label: value }))}
        value={into.place}
        onChange={into.setPlace}
      />
      <TextField
        label="Name of the new database"
        mono
        autoCapitalize="none"
        value={into.name}
        onChange={({ target }) => into.setName(target.value)}
        error={slugProblem(into.name) ?? errorFor(error, 'into')}
      />
    </Beside>
  );
}
