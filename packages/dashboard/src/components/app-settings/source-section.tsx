import { type App, IMAGE_PORT } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { Commands } from '../../ui/copy.tsx';
import { Beside, ChoiceSetting, TextSetting } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { choice, type Field, text } from './kinds.ts';

const SOURCES = [
  { value: 'image', label: 'An image of any registry' },
  { value: 'registry', label: 'Pushed to this instance' },
  { value: 'external', label: 'An external image' },
] as const;
type Source = (typeof SOURCES)[number]['value'];

const PULL = [
  { value: '', label: 'Always for the tag latest, else when it is missing' },
  { value: 'missing', label: 'When it is missing' },
  { value: 'always', label: 'Always' },
] as const;

const WORKER = 'none';

/** Field for the port. The value is `none` for an app without a port, and empty for the port of the image. */
const port: Field<string> = {
  label: 'Port',
  of: (app) => (app.port === null ? WORKER : String(app.port ?? '')),
  sent: (typed) => {
    const value = typed.trim();
    if (value === '') return IMAGE_PORT;
    if (value === WORKER) return null;
    return /^\d+$/.test(value) ? Number(value) : value;
  },
  say: (value) => value.trim() || 'the image’s',
  check: () => null,
};

const FIELDS = {
  source: choice<Source>('Source', ({ source }) => source),
  // The instance itself chooses the image of an app with pushed releases.
  image: text('Image', ({ source, image }) => (source === 'registry' ? null : image)),
  tag: text('Pinned tag', ({ tag }) => tag, 'none: follow what is deployed'),
  pull: choice<'missing' | 'always'>('Pull', ({ pull }) => pull ?? ''),
  port,
};

/** Renders the settings of the image that the app runs. */
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
      description="Where its releases come from."
      effect="Takes effect with the next deploy."
    >
      <ChoiceSetting of={{ ...source, set: setSource }} options={SOURCES} />
      {isPushed ? (
        <Pushed app={form.app} />
      ) : (
        <TextSetting
          of={image}
          placeholder="ghcr.io/acme/web"
          hint="A repository without tag or digest: the tag is given to the deploy."
        />
      )}
      <Beside>
        <TextSetting
          of={form.field('tag')}
          placeholder="none"
          hint="A deploy without a tag takes it. Empty: the tag that is live."
        />
        <TextSetting of={form.field('port')} placeholder="the image’s" hint={<PortHint app={form.app} />} />
      </Beside>
      <ChoiceSetting
        of={form.field('pull')}
        options={PULL}
        hint="When a deploy asks the registry for the image again."
      />
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">{autodeploy(isPushed, form.field('tag').value.trim())}</p>
    </FormCard>
  );
}

function PortHint({ app }: { app: App }) {
  const now = app.port === undefined ? ' now' : '';
  return (
    <>
      What the app listens on, or “{WORKER}” for a worker that takes no requests. Empty{now}: the only port that the
      image exposes, else 8080.
    </>
  );
}

function autodeploy(isPushed: boolean, tag: string): string {
  if (!isPushed) return 'Nothing is deployed by itself: each deploy names a tag, or takes the pinned or the live one.';
  if (tag) return `Pushes are kept and deploy nothing: the app is pinned to ${tag}. Without the pin each push deploys.`;
  return 'Each push is deployed by itself. Pin a tag to stop that.';
}

function Pushed({ app }: { app: App }) {
  const { address } = useAnswer('getOwnRegistry');
  const name = `${address}/${app.reference}:v1`;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm">Push an image to its own repository here:</p>
      <Commands lines={[`docker login ${address}`, `docker tag my-image ${name}`, `docker push ${name}`]} />
    </div>
  );
}
