import { useAnswer } from '../../api.ts';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { holds, type Manifest } from '../templates/manifest.ts';
import type { InstallDraft } from './draft.ts';
import { keptOf } from './status.ts';

/** What earlier installations have left in this environment, to be taken up with its data; nothing where there is none. */
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
  const { project, environment, adopt, adoptVolumes, inputs } = draft;
  const installs = useAnswer('listTemplateInstalls');
  const here = installs.filter((one) => one.project === project && one.environment === environment);
  const left = here.flatMap(keptOf);
  const kept = left.filter(({ kind }) => kind === 'database').map(({ reference }) => reference);
  const databases = manifest.databases.filter(({ when }) => holds(when, inputs));
  const hasVolumes =
    here.some(({ status }) => status === 'uninstalled') && manifest.apps.some(({ volumes }) => volumes.length > 0);
  if ((kept.length === 0 || databases.length === 0) && !hasVolumes) return null;
  return (
    <fieldset className="flex flex-col gap-3 rounded-md bg-accent-soft p-3">
      <legend className="sr-only">Data that was kept</legend>
      <p className="text-sm">
        An earlier installation in this environment has left its data. It can be taken up again.
      </p>
      {kept.length > 0 &&
        databases.map(({ key }) => (
          <SelectField
            key={key}
            label={`Database ${key}`}
            value={adopt[key] ?? ''}
            options={[
              { value: '', label: 'A new, empty one' },
              ...kept.map((reference) => ({ value: reference, label: `${reference}, with its data` })),
            ]}
            onChange={(reference) => onChange({ adopt: { ...adopt, [key]: reference } })}
            error={refused(`adopt.databases.${key}`)}
          />
        ))}
      {hasVolumes && (
        <CheckField
          label="Use the kept volumes of apps of the same names"
          checked={adoptVolumes}
          onChange={(event) => onChange({ adoptVolumes: event.target.checked })}
        />
      )}
    </fieldset>
  );
}
