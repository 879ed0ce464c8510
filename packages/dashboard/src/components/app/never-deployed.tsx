import type { App } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { useSearchText } from '../../util/params.ts';

/** Renders the page of an app that has never been deployed, with instructions for its first release. */
export function NeverDeployed({ app }: { app: App }) {
  const forbidden = useForbidden('operate');
  const [, setDeploy] = useSearchText('deploy');
  return (
    <Empty title="Nothing is deployed yet">
      {app.source === 'registry' ? <Push app={app} /> : <p>Name a tag of {app.image}, and its first release starts.</p>}
      <div className="text-left">
        <Commands lines={[`davit deploy ${app.reference} --tag ${app.tag ?? 'v1'}`]} />
      </div>
      <div>
        <Button kind="primary" disabledBecause={forbidden} onClick={() => setDeploy('1')}>
          Deploy…
        </Button>
      </div>
    </Empty>
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
          ? 'Push an image, and it is deployed. The name of the account and an API key sign you in.'
          : 'Push an image, then deploy its tag. The name of the account and an API key sign you in.'}
      </p>
      <div className="text-left">
        <Commands lines={[`docker login ${host}`, `docker tag my-image ${image}`, `docker push ${image}`]} />
      </div>
    </>
  );
}
