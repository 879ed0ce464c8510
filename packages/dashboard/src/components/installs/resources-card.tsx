import type { TemplateInstall } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { appPath, databasePath, paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';

type Resource = TemplateInstall['resources'][number];

const STATES: Record<Resource['state'], string> = {
  made: '',
  adopted: 'reused with its data',
  used: 'existed before',
  kept: 'kept with its data',
};

/** Lists the resources that a template installation created or uses, with links to their pages. */
export function ResourcesCard({ install: { resources } }: { install: TemplateInstall }) {
  return (
    <Card title="Resources">
      {resources.length === 0 ? (
        <p className="text-sm text-soft">This installation has no resources.</p>
      ) : (
        <ul aria-label="Resources" className="flex flex-col divide-y divide-line text-sm">
          {resources.map((resource) => (
            <li key={`${resource.kind} ${resource.reference}`} className="flex flex-wrap items-center gap-x-3 py-1.5">
              <span className="w-24 text-soft">{resource.kind}</span>
              <Name resource={resource} />
              <span className="text-xs text-soft">{STATES[resource.state]}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Name({ resource }: { resource: Resource }) {
  const to = pageOf(resource);
  const look = 'min-w-0 font-mono text-[0.8125rem] break-all';
  if (to === null) return <span className={look}>{resource.reference}</span>;
  return (
    <Link to={to} className={`${look} underline-offset-2 hover:underline`}>
      {resource.reference}
    </Link>
  );
}

function pageOf({ kind, reference }: Resource): string | null {
  const [project = '', environment = ''] = reference.split('/');
  switch (kind) {
    case 'project':
      return paths.project({ project });
    case 'environment':
      return paths.environment({ project, environment });
    case 'app':
      return paths.app(appPath(reference));
    case 'database':
      return paths.database(databasePath(reference));
    case 'object_store':
      return paths.objectStore({ object_store: reference });
    case 'bucket':
      return paths.objectStore({ object_store: project });
  }
}
