import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import type { EnvironmentPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { useSearchText } from '../../util/params.ts';
import { IfMay } from '../admin/if-may.tsx';

/** Explains how to create the first app of an environment. */
export function NoApp({ path }: { path: EnvironmentPath }) {
  return (
    <Empty title={`No apps in ${path.environment} yet`}>
      <IfMay permission="operate" what="create an app">
        <FirstApp path={path} />
      </IfMay>
    </Empty>
  );
}

function FirstApp({ path: { project, environment } }: { path: EnvironmentPath }) {
  const registry = useQuery(query('getOwnRegistry')).data;
  const [, open] = useSearchText('new');
  const address = registry?.address ?? `registry.${window.location.hostname}`;
  return (
    <>
      <p>In a folder with a Dockerfile, these commands build, push and deploy an app:</p>
      <div className="text-left">
        <Commands lines={[`davit init --app ${project}/${environment}/web`, 'davit up']} />
      </div>
      <p>You can also create an app with the source “Image pushed to this instance”, and then push an image:</p>
      <div className="text-left">
        <Commands lines={[`docker push ${address}/${project}/${environment}/web:v1`]} />
      </div>
      <div>
        <Button kind="primary" onClick={() => open('app')}>
          New app…
        </Button>
      </div>
    </>
  );
}
