import { type App, IMAGE_PORT } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { Commands } from '../../ui/copy.tsx';
import { ChoiceSetting, TextSetting, TwoColumns } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { choice, type Field, text } from './kinds.ts';
import { type Source, sourcesFor } from './sources.ts';

const PULL = [
  { value: '', label: 'Default: pull only missing images, but always pull “latest”' },
  { value: 'missing', label: 'If missing' },
  { value: 'always', label: 'Always' },
] as const;

const WORKER = 'none';

/**
 * Form field for the port of an app. The text `none` means that the app has no port. An empty field means the port
 * that the image exposes.
 */
const port: Field<string> = {
  label: 'Port',
  of: (app) => (app.port === null ? WORKER : String(app.port ?? '')),
  sent: (typed) => {
    const value = typed.trim();
    if (value === '') return IMAGE_PORT;
    if (value === WORKER) return null;
    return /^\d+$/.test(value) ? Number(value) : value;
  },
  say: (value) => value.trim() || 'from the image',
  check: () => null,
};

const FIELDS = {
  source: choice<Source>('Source', ({ source }) => source),
  // If users push images to the instance's registry, show no image name, because the server sets the name.
  image: text('Image', ({ source, image }) => (source === 'registry' ? null : image)),
  tag: text('Pinned tag', ({ tag }) => tag, 'none'),
  pull: choice<'missing' | 'always'>('Pull', ({ pull }) => pull ?? ''),
  port,
};

export function SourceSection() {
  const form = useAppForm(FIELDS);
  const source = form.field('source');
  const image = form.field('image');
  const isPushed = source.value === 'registry';
  const setSource = (value: Source | '') => {
    source.set(value);
    if (value === 'registry') image.set('');
  };
  return (
    <FormCard
      form={form}
      title="Source"
      description="Where Davit gets the images of this app."
      effect="Takes effect with the next deployment."
    >
      <ChoiceSetting of={{ ...source, set: setSource }} options={sourcesFor(form.app)} />
      {isPushed ? (
        <Pushed app={form.app} />
      ) : (
        <TextSetting
          of={image}
          placeholder="ghcr.io/acme/web"
          hint="Image name without a tag. You choose the tag when you deploy."
        />
      )}
      <TwoColumns>
        <TextSetting
          of={form.field('tag')}
          placeholder="none"
          hint="Tag for deployments that do not specify a tag. Leave blank to use the tag of the live release."
        />
        <TextSetting of={form.field('port')} placeholder="from the image" hint={<PortHint />} />
      </TwoColumns>
      <ChoiceSetting of={form.field('pull')} options={PULL} hint="Whether each deployment pulls the image again." />
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">{autodeploy(isPushed, form.field('tag').value.trim())}</p>
    </FormCard>
  );
}

function PortHint() {
  return (
    <>
      Port on which the app listens. If this field is empty, Davit uses the port that the image exposes. If the image
      exposes no port or several ports, Davit uses 8080. For a worker that receives no requests, enter “{WORKER}”.
    </>
  );
}

function autodeploy(isPushed: boolean, tag: string): string {
  if (!isPushed)
    return 'Davit does not deploy this app automatically. A deployment without a tag uses the pinned tag. If no tag is pinned, it uses the tag of the live release.';
  if (tag)
    return `Pushes do not deploy the app, because the tag ${tag} is pinned. Remove the pinned tag to deploy each push automatically.`;
  return 'Each push deploys the app automatically. Pin a tag to prevent this.';
}

function Pushed({ app }: { app: App }) {
  const { address } = useAnswer('getOwnRegistry');
  const name = `${address}/${app.reference}:v1`;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm">Push an image to the repository of this app:</p>
      <Commands lines={[`docker login ${address}`, `docker tag my-image ${name}`, `docker push ${name}`]} />
    </div>
  );
}
