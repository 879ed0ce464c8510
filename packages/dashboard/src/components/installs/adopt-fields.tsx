import { useQuery } from '@tanstack/react-query';
import { query, useAnswer } from '../../api.ts';
import { CheckField, SelectField } from '../../ui/field.tsx';
import type { Manifest } from '../templates/manifest.ts';
import { adoptable } from './adoptable.ts';
import type { InstallDraft } from './draft.ts';

/**
 * Renders the part of the install form in which the user can reuse existing databases and volumes with their data.
 * Renders nothing if there is no data to reuse.
 */
export function AdoptFields({
  manifest,
  draft,
  refused,
  onChange,
}: {
  manifest: Manifest;
  draft: InstallDraft;
  refused: (field: string) => string | null;
  onChange: (part: Partial<InstallDraft>) => void;
}) {
  const installs = useAnswer('listTemplateInstalls');
  const { data: databases = [] } = useQuery(query('listDatabases'));
  const { choices, hasVolumes } = adoptable(manifest, draft, { installs, databases });
  if (choices.length === 0 && !hasVolumes) return null;
  const { adopt, adoptVolumes } = draft;
  return (
    <fieldset className="flex flex-col gap-3 rounded-md bg-accent-soft p-3">
      <legend className="sr-only">Existing data</legend>
      <p className="text-sm">
        This environment contains data of an earlier installation. You can use this data or start without data.
      </p>
      {choices.map(({ key, references }) => (
        <SelectField
          key={key}
          label={`Data of database ${key}`}
          value={adopt[key] ?? ''}
          options={[
            { value: '', label: 'A new, empty database' },
            ...references.map((reference) => ({ value: reference, label: `${reference}, with its data` })),
          ]}
          onChange={(reference) => onChange({ adopt: { ...adopt, [key]: reference } })}
          error={refused(`adopt.databases.${key}`)}
        />
      ))}
      {hasVolumes && (
        <CheckField
          label="Reuse volumes if a deleted app had the same name"
          checked={adoptVolumes}
          onChange={(event) => onChange({ adoptVolumes: event.target.checked })}
        />
      )}
    </fieldset>
  );
}
