import { useAnswer } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';

/** Shows commands that push a first image to the instance's registry. */
export function NoRepository() {
  const { address } = useAnswer('getOwnRegistry');
  const project = useAnswer('listProjects')[0]?.slug ?? 'shop';
  const forbidden = useForbidden('operate');
  const image = `${address}/${project}/production/web:v1`;
  return (
    <Empty title="No repositories yet">
      <p>
        This list shows the repository of each app with the source “Image pushed to this instance”. Create an app from a
        folder with a Dockerfile:
      </p>
      <div className="text-left">
        <Commands lines={[`davit init --app ${project}/production/web`, 'davit up']} />
      </div>
      <p>Push an image for an existing app:</p>
      <div className="text-left">
        <Commands lines={[`docker build -t ${image} .`, `docker push ${image}`]} />
      </div>
      <div>
        {forbidden ? (
          <Button disabledBecause={forbidden}>New app…</Button>
        ) : (
          <ButtonLink kind="primary" to={paths.projects()} search={{ new: 'app' } as never}>
            New app…
          </ButtonLink>
        )}
      </div>
    </Empty>
  );
}
