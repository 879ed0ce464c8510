import { count } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useAnswer } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { type ProjectPath, paths } from '../../paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useSearchText } from '../../util/params.ts';
import { DeleteEnvironment, PERMANENT, PERMANENT_REASON } from './delete-environment.tsx';

export function EnvironmentsCard({ path }: { path: ProjectPath }) {
  const { environments } = useAnswer('getProject', { params: path });
  const apps = useAnswer('listApps').filter(({ project }) => project === path.project);
  const forbidden = useForbidden('operate');
  const [, setNew] = useSearchText('new');
  const [deleting, setDeleting] = useSearchText('delete');
  const deleted = environments.find((environment) => environment === deleting && environment !== PERMANENT);
  return (
    <Card
      title="Environments"
      description="Each environment has its own apps and variables. You can promote images from one environment to another."
      actions={
        <Button disabledBecause={forbidden} onClick={() => setNew('environment')}>
          New environment…
        </Button>
      }
    >
      <ul aria-label="Environments" className="divide-y divide-line text-sm">
        {environments.map((environment) => (
          <li key={environment} className="flex items-center justify-between gap-3 py-1.5 first:pt-0 last:pb-0">
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <Link
                to={paths.environmentSettings({ ...path, environment })}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                {environment}
              </Link>
              <span className="text-xs text-soft">
                {appCount(apps.filter((app) => app.environment === environment).length)}
              </span>
            </span>
            <IconButton
              label={`Delete ${environment}`}
              disabledBecause={forbidden ?? (environment === PERMANENT ? PERMANENT_REASON : null)}
              onClick={() => setDeleting(environment)}
            >
              <Trash2 className="size-4" aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {deleted && forbidden === null && (
        <DeleteEnvironment path={{ ...path, environment: deleted }} onClose={() => setDeleting(null)} />
      )}
    </Card>
  );
}

function appCount(apps: number): string {
  return apps === 0 ? 'no apps' : count(apps, 'app');
}
