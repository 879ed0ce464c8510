import type { App, Project } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { servingOf } from '../apps/app-facts.ts';

export function Counts({ apps, projects }: { apps: readonly App[]; projects: readonly Project[] }) {
  const running = apps.filter(({ status }) => status === 'running').length;
  const replicas = apps.reduce((sum, app) => sum + servingOf(app), 0);
  const environments = projects.reduce((sum, project) => sum + project.environments.length, 0);
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm sm:gap-x-6">
      <One name="apps running" value={`${running} of ${apps.length}`} />
      <One name={replicas === 1 ? 'healthy replica' : 'healthy replicas'} value={String(replicas)} />
      <One
        name={projects.length === 1 ? 'project' : 'projects'}
        value={String(projects.length)}
        to={paths.projects()}
      />
      <One name={environments === 1 ? 'environment' : 'environments'} value={String(environments)} />
    </dl>
  );
}

function One({ name, value, to }: { name: string; value: string; to?: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="order-last text-soft">
        {to ? (
          <Link to={to} className="underline-offset-2 hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="text-base font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
