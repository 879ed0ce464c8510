import type { OwnRegistry } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '../../api.ts';
import { useForbidden, useWhoCan } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { useSearchText } from '../../util/params.ts';
import { PushKeyLink } from '../account/push-key-link.tsx';

/** Explains how to create the first app. The commands contain the address of this instance. */
export function FirstSteps({ project }: { project: string | null }) {
  const others = useWhoCan('operate', 'create an app');
  if (others === null) return <Ways project={project} />;
  return (
    <Empty title="No apps yet">
      <p>{others}</p>
    </Empty>
  );
}

function Ways({ project }: { project: string | null }) {
  const registry = useQuery(query('getOwnRegistry')).data;
  return (
    <section aria-labelledby="first" className="flex flex-col gap-4">
      <div>
        <h2 id="first" className="text-lg">
          Create your first app
        </h2>
        <p className="text-sm text-soft">
          Choose one of these three ways. You can also{' '}
          <Link to={paths.templates()} className="text-accent underline underline-offset-2">
            install a template
          </Link>
          , which creates apps together with their databases.
        </p>
      </div>
      <div className="grid gap-4 lg:grid-cols-3">
        <Here project={project} />
        <FromFolder project={project ?? 'demo'} />
        <ByPush project={project ?? 'demo'} registry={registry} />
      </div>
    </section>
  );
}

function Here({ project }: { project: string | null }) {
  const [, open] = useSearchText('new');
  const noProject = useForbidden('administer');
  return (
    <Card title="In the dashboard">
      <div className="flex h-full flex-col gap-3 text-sm">
        <p>
          A <b>project</b> contains environments, such as “production”. An environment contains apps. Each app runs one
          container image. Create an app with the name of an image, then deploy a tag.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button kind={project ? 'plain' : 'primary'} disabledBecause={noProject} onClick={() => open('project')}>
            New project…
          </Button>
          <Button
            kind={project ? 'primary' : 'plain'}
            disabledBecause={project ? null : 'Create a project first.'}
            onClick={() => open('app')}
          >
            New app…
          </Button>
        </div>
      </div>
    </Card>
  );
}

function FromFolder({ project }: { project: string }) {
  return (
    <Card title="From a folder with a Dockerfile">
      <div className="flex flex-col gap-3 text-sm">
        <p>
          “davit init” writes the files davit.yaml and .davit/schema.json. “davit up” builds the image, pushes it to
          this instance and deploys it. Run “davit up” again after each change.
        </p>
        <Commands
          lines={[`davit login ${window.location.origin}`, `davit init --app ${project}/production/web`, 'davit up']}
        />
      </div>
    </Card>
  );
}

function ByPush({ project, registry }: { project: string; registry: OwnRegistry | undefined }) {
  const address = registry?.address ?? `registry.${window.location.hostname}`;
  const image = `${address}/${project}/production/web:v1`;
  return (
    <Card title="By a Docker push">
      <div className="flex flex-col gap-3 text-sm">
        <p>
          Create an app with the source “Image pushed to this instance”. Each push to its repository deploys the app.
          Sign in with your username and an API key as the password. <PushKeyLink />.
        </p>
        <Commands lines={[`docker login ${address}`, `docker build -t ${image} .`, `docker push ${image}`]} />
      </div>
    </Card>
  );
}
