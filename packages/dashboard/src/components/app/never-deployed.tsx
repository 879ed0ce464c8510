import type { App } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { useSearchText } from '../../util/params.ts';
import { PushKeyLink } from '../account/push-key-link.tsx';
import { IfMay } from '../admin/if-may.tsx';

/** Renders the overview of an app without a live release, with instructions for the first release. */
export function NeverDeployed({ app }: { app: App }) {
  return (
    <Empty title={app.last_deployment === null ? 'No deployments yet' : 'No live release yet'}>
      <IfMay permission="operate" what="deploy this app">
        <FirstRelease app={app} />
      </IfMay>
    </Empty>
  );
}

function FirstRelease({ app }: { app: App }) {
  const [, setDeploy] = useSearchText('deploy');
  return (
    <>
      {app.source === 'registry' ? <Push app={app} /> : <p>Deploy a tag of the image {app.image}.</p>}
      <div className="text-left">
        <Commands lines={[`davit deploy ${app.reference} --tag ${app.tag ?? 'v1'}`]} />
      </div>
      <div>
        <Button kind="primary" onClick={() => setDeploy('1')}>
          Deploy…
        </Button>
      </div>
    </>
  );
}

function Push({ app }: { app: App }) {
  const { address } = useAnswer('getOwnRegistry');
  const image = `${address}/${app.reference}:${app.tag ?? 'v1'}`;
  const host = address.split('/')[0];
  return (
    <>
      <p>
        {app.autodeploy
          ? 'Push an image. Davit deploys it automatically. Sign in with your username and an API key as the password.'
          : 'Push an image, then deploy its tag. Sign in with your username and an API key as the password.'}{' '}
        <PushKeyLink />.
      </p>
      <div className="text-left">
        <Commands lines={[`docker login ${host}`, `docker tag my-image ${image}`, `docker push ${image}`]} />
      </div>
    </>
  );
}
