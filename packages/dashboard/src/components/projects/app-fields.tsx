import { CheckField, TextField } from '../../ui/field.tsx';
import { type Choice, RadioGroup } from '../../ui/radio.tsx';
import { errorFor } from '../../util/field-error.ts';
import { type AppDraft, splitImage } from './app-draft.ts';
import { NameField } from './name-field.tsx';

const SOURCES: readonly Choice<AppDraft['source']>[] = [
  {
    value: 'image',
    label: 'An image that exists',
    hint: 'In any registry, or already in the engine: ghcr.io/acme/web.',
  },
  {
    value: 'registry',
    label: 'Pushed to this instance',
    hint: 'It gets a repository here. A docker push to it is a deploy, and so is davit up in its folder.',
  },
  {
    value: 'external',
    label: 'An image that others build and push elsewhere',
    hint: 'As the first, and says that somebody else, such as a pipeline, brings the releases.',
  },
];

export interface AppFieldsProps {
  draft: AppDraft;
  onChange: (part: Partial<AppDraft>) => void;
  /** Problems of fields that are missing or invalid. */
  missing: Partial<Record<keyof AppDraft, string>>;
  error: Error | null;
  nameRefused: string | null;
}

export function AppFields({ draft, onChange, missing, error, nameRefused }: AppFieldsProps) {
  return (
    <>
      <NameField name={draft.name} onChange={(name) => onChange({ name })} refused={missing.name ?? nameRefused} />
      <RadioGroup
        label="Where its releases come from"
        choices={SOURCES}
        value={draft.source}
        onChange={(source) => onChange({ source })}
        error={errorFor(error, 'source')}
      />
      {draft.source !== 'registry' && (
        <ImageField draft={draft} onChange={onChange} error={missing.image ?? errorFor(error, 'image')} />
      )}
      <PortFields draft={draft} onChange={onChange} error={missing.port ?? errorFor(error, 'port')} />
      {draft.source !== 'registry' && (
        <TextField
          label="First tag"
          note="optional"
          mono
          autoCapitalize="none"
          placeholder="latest"
          value={draft.tag}
          onChange={(event) => onChange({ tag: event.target.value.trim() })}
          hint="With it the plan of the first deploy is shown at once. Nothing runs before you say so."
        />
      )}
    </>
  );
}

type PartProps = Pick<AppFieldsProps, 'draft' | 'onChange'> & { error: string | null };

function ImageField({ draft, onChange, error }: PartProps) {
  // A tag in the pasted image name moves to the field of the tag.
  const settle = () => {
    const { image, tag } = splitImage(draft.image.trim());
    if (tag !== null) onChange({ image, tag });
  };
  return (
    <TextField
      label="Image"
      mono
      required
      autoCapitalize="none"
      placeholder="ghcr.io/acme/web"
      value={draft.image}
      onChange={(event) => onChange({ image: event.target.value })}
      onBlur={settle}
      hint="The repository without a tag: the tag is what a deploy names."
      error={error}
    />
  );
}

function PortFields({ draft, onChange, error }: PartProps) {
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Port"
        note="optional"
        inputMode="numeric"
        placeholder="from the image"
        disabled={draft.isWorker}
        value={draft.isWorker ? '' : draft.port}
        onChange={(event) => onChange({ port: event.target.value.trim() })}
        hint="Where it listens. Left out: the only port that the image exposes, else 8080."
        error={error}
      />
      <CheckField
        label="It listens on no port (a worker)"
        hint="It gets no address, and counts as ready when it runs."
        checked={draft.isWorker}
        onChange={(event) => onChange({ isWorker: event.target.checked })}
      />
    </div>
  );
}
