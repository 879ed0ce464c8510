import type { UpdatePreview } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSearchText } from '../../util/params.ts';
import { isGenerated } from '../templates/manifest.ts';
import { problemOf, problemsIn, problemsOutside } from './draft.ts';
import { InputField } from './input-field.tsx';
import { PlannedList } from './planned-list.tsx';
import { CHANGES, type DeedProps } from './rollback-install.tsx';
import { removedApps, useUpdatePreview } from './update-preview.ts';

/**
 * Renders the dialog that previews and then runs the update of an installed template.
 * @param file text of the new template, if it was installed from a file
 */
export function UpdateDialog({ install, file = null, onBegun, onClose }: DeedProps & { file?: string | null }) {
  const { id, title, origin, update_available } = install;
  const [release, choose] = useSearchText('release');
  const [remove, setRemove] = useState(true);
  const [adoptVolumes, setAdoptVolumes] = useState(false);
  const [inputs, setInputs] = useState<Record<string, string>>({});
  const params = { install: String(id) };
  const { data: preview, error } = useUpdatePreview({ install: id, release, file, remove });
  const update = useCall('updateTemplateInstall', {
    changes: CHANGES,
    onDone: (answer) => 'subject' in answer && onBegun(answer.id),
  });
  const fields = (preview?.inputs ?? []).map((key) => `inputs.${key}`);
  const refused = update.error === null ? [] : problemsIn(update.error, fields);
  const to = file === null ? release !== null && { release } : { file };
  /*
   * Send the checksum and the removed apps from the preview. The server refuses the update if it would differ from the
   * preview.
   */
  const seen = preview && { sha256: preview.sha256, remove: removedApps(preview) };
  const unanswered = requiredOf(preview).some((key) => !inputs[key]);
  const isAdoptRequired = preview?.kept_volumes.some(({ requires_adopt }) => requires_adopt) ?? false;
  const nothing = preview?.changes.every(({ action }) => action === 'keep' || action === 'use');
  return (
    <FormDialog
      wide
      noValidate
      title={`Update ${title}`}
      description={`Updates the installation from ${origin.release ?? 'the installed release'} to ${file === null ? (preview?.to ?? release ?? update_available ?? 'the newest release') : 'the release in the file'}.`}
      action="Update"
      busy={update.isPending}
      disabledBecause={whyNot(preview, unanswered)}
      onSubmit={() =>
        update.mutate({
          params,
          body: { ...to, ...seen, inputs, keep_removed: !remove, adopt: { volumes: adoptVolumes && isAdoptRequired } },
        })
      }
      onClose={onClose}
    >
      <Releases install={install} release={release} onChoose={choose} />
      {error !== null && <Problem error={error} />}
      {preview === undefined && error === null && <Spinner label="Loading the changes" />}
      {preview && !preview.fits && (
        <Notice tone="error">
          {preview.problem ?? 'This release of the template is not compatible with this instance.'}
        </Notice>
      )}
      {preview && (
        <>
          {nothing ? (
            <p className="text-sm text-soft">No changes.</p>
          ) : (
            <PlannedList label="Changes" resources={preview.changes} />
          )}
          <Questions
            preview={preview}
            inputs={inputs}
            refused={(field) => problemOf(refused, field)}
            onAnswer={(key, text) => setInputs({ ...inputs, [key]: text })}
          />
          {problemsOutside(
            [...preview.problems.filter(({ field }) => !fields.includes(field)), ...refused],
            fields,
          ).map(({ field, message }) => (
            <Problem key={`${field} ${message}`} error={new Error(message)} />
          ))}
        </>
      )}
      {preview && <KeptVolumes preview={preview} adopt={adoptVolumes} onAdopt={setAdoptVolumes} />}
      <CheckField
        label="Remove resources that are not in the new release"
        hint="The update never removes databases, object stores or volumes."
        checked={remove}
        onChange={(event) => setRemove(event.target.checked)}
      />
    </FormDialog>
  );
}

/** Returns the keys of the template inputs that the user must fill in before the update. */
function requiredOf(preview: UpdatePreview | undefined): string[] {
  const requestedInputs = preview?.manifest.inputs.filter(({ key }) => preview.inputs.includes(key)) ?? [];
  return requestedInputs.filter((input) => input.required && !isGenerated(input)).map(({ key }) => key);
}

function whyNot(preview: UpdatePreview | undefined, unanswered: boolean): string | null {
  if (preview === undefined) return 'Wait until the changes are loaded.';
  if (!preview.fits) return preview.problem ?? 'This release of the template is not compatible with this instance.';
  return unanswered ? 'Fill in the inputs first.' : null;
}

function Questions({
  preview: { inputs: requestedKeys, manifest },
  inputs,
  refused,
  onAnswer,
}: {
  preview: UpdatePreview;
  inputs: Readonly<Record<string, string>>;
  refused: (field: string) => string | null;
  onAnswer: (key: string, text: string) => void;
}) {
  const questions = manifest.inputs.filter(({ key }) => requestedKeys.includes(key));
  return questions.map((input) => (
    <InputField
      key={input.key}
      input={input}
      text={inputs[input.key] ?? ''}
      error={refused(`inputs.${input.key}`)}
      onChange={(text) => onAnswer(input.key, text)}
    />
  ));
}

/**
 * Lists existing volumes that apps can use after the update. If a volume is from outside of this installation, the user
 * must allow its use.
 */
function KeptVolumes({
  preview: { kept_volumes },
  adopt,
  onAdopt,
}: {
  preview: UpdatePreview;
  adopt: boolean;
  onAdopt: (adopt: boolean) => void;
}) {
  const describeVolumes = (isAdoptRequired: boolean) =>
    kept_volumes
      .filter(({ requires_adopt }) => requires_adopt === isAdoptRequired)
      .map(({ app, path }) => `${app} ${path}`)
      .join(', ');
  const [own, others] = [describeVolumes(false), describeVolumes(true)];
  return (
    <>
      {own !== '' && <p className="text-sm text-soft">Uses the detached volumes of this installation again: {own}</p>}
      {others !== '' && (
        <CheckField
          label="Reuse volumes if a deleted app had the same name"
          hint={`The release gets the data in these volumes: ${others}`}
          checked={adopt}
          onChange={(event) => onAdopt(event.target.checked)}
        />
      )}
    </>
  );
}

/**
 * Renders the select field for the new release of an installed template. The field is shown only for a template from a
 * catalog.
 */
function Releases({
  install: { origin, update_available },
  release,
  onChoose,
}: {
  install: DeedProps['install'];
  release: string | null;
  onChoose: (release: string | null) => void;
}) {
  const { owner, name } = origin;
  const isListed = owner !== null && name !== null;
  const { data } = useQuery({
    ...query('listTemplateReleases', { params: { owner: owner ?? '', name: name ?? '' } }),
    enabled: isListed,
    retry: false,
  });
  if (!isListed || data === undefined) return null;
  const newest = update_available ?? data.releases[0]?.tag ?? '';
  return (
    <SelectField
      label="New release"
      value={release ?? newest}
      options={data.releases.map(({ tag }) => ({
        value: tag,
        label: tag === origin.release ? `${tag} (installed)` : tag,
      }))}
      onChange={(tag) => onChoose(tag === newest ? null : tag)}
    />
  );
}
