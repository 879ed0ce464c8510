import { bytes, count, helpPath, type OwnRegistry } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { useMe, useWhoCan } from '../../layout/me.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { Commands, Copyable } from '../../ui/copy.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { PushKeyLink } from '../account/push-key-link.tsx';
import { CollectRegistry } from './collect-registry.tsx';

const STATUS: Record<OwnRegistry['status'], { says: string; tone: string }> = {
  running: { says: 'running', tone: 'text-good' },
  read_only: { says: 'running; garbage collection blocks pushes', tone: 'text-accent' },
  unavailable: { says: 'not running', tone: 'text-error' },
};

/** Shows the status of the instance's own registry, and the commands that push an image to this registry. */
export function OwnRegistryCard() {
  const registry = useAnswer('getOwnRegistry');
  return (
    <Card title="Registry of this instance" actions={<CollectRegistry running={registry.collection.running} />}>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          {registry.problem && (
            <Notice tone="error">
              {registry.problem}
              <HelpLink to={helpPath(registry.problem_code)} />
            </Notice>
          )}
          <Facts rows={factsOf(registry)} />
        </div>
        <HowToPush registry={registry} />
      </div>
    </Card>
  );
}

function factsOf(registry: OwnRegistry): [string, React.ReactNode][] {
  const { status, version, address, local_address, repositories, collection } = registry;
  const { says, tone } = STATUS[status];
  return [
    [
      'Status',
      <span key="status" className={`inline-flex items-center gap-1.5 ${tone}`}>
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-current" />
        {says}
      </span>,
    ],
    ['Address', <Copyable key="address" text={address} />],
    ...(local_address === address
      ? []
      : [['Address on the server', <Copyable key="local" text={local_address} />] as [string, React.ReactNode]]),
    [
      'Contents',
      `${count(repositories, 'repository', 'repositories')}, ${registry.bytes === null ? 'not measured yet' : `${bytes(registry.bytes)} on disk`}`,
    ],
    ['Last cleanup', <LastCollection key="last" collection={collection} />],
    ['Next cleanup', collection.next_at ? <Time key="next" at={collection.next_at} /> : 'not scheduled yet'],
    ...(version === null ? [] : [['Version', version] as [string, string]]),
  ];
}

function LastCollection({ collection: { running, last } }: Pick<OwnRegistry, 'collection'>) {
  if (running) return <span className="text-accent">running</span>;
  if (last === null) return 'never';
  return (
    <>
      <Time at={last.at} />
      {last.error && <span className="text-error">: {last.error}</span>}
      {!last.error && last.freed_bytes !== null && `, freed ${bytes(last.freed_bytes)}`}
    </>
  );
}

function HowToPush({ registry: { address } }: { registry: OwnRegistry }) {
  const me = useMe();
  const others = useWhoCan('operate', 'push images');
  const apps = useAnswer('listApps');
  const example = apps.find(({ source }) => source === 'registry')?.reference ?? 'shop/production/web';
  const image = `${address}/${example}:v1`;
  const signIn = `docker login ${address} --username ${me.username}`;
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm">
      <h3>{others === null ? 'Sign in and push' : 'Sign in and pull'}</h3>
      {others === null ? (
        <p className="text-soft">
          Use an API key as the password. <PushKeyLink />. First create an app with the source “Image pushed to this
          instance”. A push deploys the app, unless a tag is pinned.
        </p>
      ) : (
        <p className="text-soft">Use an API key as the password. {others}</p>
      )}
      <Commands
        lines={
          others === null
            ? [signIn, `docker tag web ${image}`, `docker push ${image}`]
            : [signIn, `docker pull ${image}`]
        }
      />
      <p className="text-soft">You can also sign in to the registry with the Davit command line:</p>
      <Commands lines={[`davit login ${window.location.origin}`, 'davit registry login']} />
    </div>
  );
}
