import { CheckField, TextField } from '../../ui/field.tsx';
import { type Choice, RadioGroup } from '../../ui/radio.tsx';
import { errorFor } from '../../util/field-error.ts';
import { type AppDraft, splitImage } from './app-draft.ts';
import { useMovedTag } from './moved-tag.ts';
import { NameField } from './name-field.tsx';

const SOURCES: readonly Choice<AppDraft['source']>[] = [
  {
    value: 'image',
    label: 'Existing image',
    hint: 'Davit pulls an image such as ghcr.io/acme/web when you deploy. A new image is not deployed automatically.',
  },
  {
    value: 'registry',
    label: 'Image pushed to this instance',
    hint: 'You push images to the registry of this instance. Davit deploys each image that you push.',
  },
];

export interface AppFieldsProps {
  draft: AppDraft;
  onChange: (part: Partial<AppDraft>) => void;
  /** Error messages of the form for a new app. The key is the name of the form field. */
  missing: Partial<Record<keyof AppDraft, string>>;
  error: Error | null;
  nameRefused: string | null;
}

export function AppFields({ draft, onChange, missing, error, nameRefused }: AppFieldsProps) {
  const movedTag = useMovedTag();
  return (
    <>
      <NameField name={draft.name} onChange={(name) => onChange({ name })} refused={missing.name ?? nameRefused} />
      <RadioGroup
        label="Source"
        choices={SOURCES}
        value={draft.source}
        onChange={(source) => onChange({ source })}
        error={errorFor(error, 'source')}
      />
      {draft.source !== 'registry' && (
        <ImageField
          draft={draft}
          onChange={onChange}
          onTagMoved={movedTag.noteMove}
          error={missing.image ?? errorFor(error, 'image')}
        />
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
          {...movedTag.handlers}
          onChange={(event) => onChange({ tag: event.target.value.trim() })}
          hint="Next, you see the steps of the first deployment. The deployment starts only after you confirm."
        />
      )}
    </>
  );
}

type PartProps = Pick<AppFieldsProps, 'draft' | 'onChange'> & { error: string | null };

function ImageField({ draft, onChange, onTagMoved, error }: PartProps & { onTagMoved: () => void }) {
  // Moves the image tag into the tag field after the user entered an image name such as `nginx:1.27`.
  const settle = () => {
    const { image, tag } = splitImage(draft.image.trim());
    if (tag === null) return;
    onChange({ image, tag });
    onTagMoved();
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
      hint="Image name without a tag. You choose the tag when you deploy."
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
        hint="Port on which the app listens. If this field is empty, Davit uses the port that the image exposes. If the image exposes no port or several ports, Davit uses 8080."
        error={error}
      />
      <CheckField
        label="Worker without a port"
        hint="A worker receives no requests. Davit considers a worker healthy while its container runs."
        checked={draft.isWorker}
        onChange={(event) => onChange({ isWorker: event.target.checked })}
      />
    </div>
  );
}
