import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { IfMay } from '../admin/if-may.tsx';

/** Shows commands that push a first image to the instance's registry. */
export function NoRepository() {
  return (
    <Empty title="No repositories yet">
      <p>This list shows the repository of each app with the source “Image pushed to this instance”.</p>
      <IfMay permission="operate" what="create an app">
        <FirstPush />
      </IfMay>
    </Empty>
  );
}

function FirstPush() {
  const { address } = useAnswer('getOwnRegistry');
  const project = useAnswer('listProjects')[0]?.slug ?? 'shop';
  const image = `${address}/${project}/production/web:v1`;
  return (
    <>
      <p>Create an app from a folder with a Dockerfile:</p>
      <div className="text-left">
        <Commands lines={[`davit init --app ${project}/production/web`, 'davit up']} />
      </div>
      <p>Push an image for an existing app:</p>
      <div className="text-left">
        <Commands lines={[`docker build -t ${image} .`, `docker push ${image}`]} />
      </div>
      <div>
        <ButtonLink kind="primary" to={paths.projects()} search={{ new: 'app' } as never}>
          New app…
        </ButtonLink>
      </div>
    </>
  );
}
