import { type App, count, type Project } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { type Tally, tallyOf } from './tally.ts';
import { TallyLine } from './tally-line.tsx';

/** Lists the projects with their environments. Each environment shows the number of apps per status. */
export function ProjectList({ projects, apps }: { projects: readonly Project[]; apps: readonly App[] }) {
  const byEnvironment = Map.groupBy(apps, ({ project, environment }) => `${project}/${environment}`);
  return (
    <ul aria-label="Projects" className="grid gap-4 md:grid-cols-2">
      {projects.map((project) => (
        <li key={project.slug} className="[contain-intrinsic-size:auto_10rem] [content-visibility:auto]">
          <ProjectCard
            project={project}
            tallies={project.environments.map((one) => [
              one,
              tallyOf(byEnvironment.get(`${project.slug}/${one}`) ?? []),
            ])}
          />
        </li>
      ))}
    </ul>
  );
}

function ProjectCard({ project: { slug }, tallies }: { project: Project; tallies: [environment: string, Tally][] }) {
  const apps = tallies.reduce((sum, [, { total }]) => sum + total, 0);
  return (
    <Card
      className="h-full"
      title={
        <Link to={paths.project({ project: slug })} className="rounded underline-offset-2 hover:underline">
          {slug}
        </Link>
      }
      actions={<span className="text-sm text-soft">{count(apps, 'app')}</span>}
    >
      <ul className="-mx-2 -my-1 flex flex-col">
        {tallies.map(([environment, tally]) => (
          <li key={environment}>
            <Link
              to={paths.environment({ project: slug, environment })}
              className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 rounded-md px-2 text-sm hover:bg-sunken"
            >
              <span className="font-medium">{environment}</span>
              <TallyLine tally={tally} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
