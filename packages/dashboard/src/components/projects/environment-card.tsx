import type { App } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { appPath, type EnvironmentPath, paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { Status } from '../../ui/status.tsx';
import { inOrder } from '../overview/app-order.ts';
import { tallyOf } from './tally.ts';
import { TallyLine } from './tally-line.tsx';

/** Renders a card for an environment of a project, with its apps and their status. */
export function EnvironmentCard({ path, apps }: { path: EnvironmentPath; apps: readonly App[] }) {
  return (
    <Card
      className="h-full"
      title={
        <Link to={paths.environment(path)} className="rounded underline-offset-2 hover:underline">
          {path.environment}
        </Link>
      }
      actions={
        <span className="text-sm">
          <TallyLine tally={tallyOf(apps)} />
        </span>
      }
    >
      {apps.length === 0 && (
        <p className="text-sm text-soft">
          <Link
            to={paths.environment(path)}
            search={{ new: 'app' } as never}
            className="font-medium text-accent underline-offset-2 hover:underline"
          >
            Create the first app
          </Link>{' '}
          of {path.environment}.
        </p>
      )}
      <ul className="-mx-2 -my-1 flex flex-col">
        {inOrder(apps, 'name').map((app) => (
          <li key={app.reference}>
            <AppLine app={app} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AppLine({ app }: { app: App }) {
  return (
    <Link
      to={paths.app(appPath(app.reference))}
      className="grid min-h-8 grid-cols-[minmax(0,1fr)_auto_5.5rem] items-center gap-3 rounded-md px-2 text-sm hover:bg-sunken"
    >
      <span className="truncate font-medium">{app.name}</span>
      <span className="max-w-36 truncate font-mono text-xs text-soft">
        {app.live_tag ?? 'never deployed'}
        {app.pending_changes && <span className="ml-1.5 font-sans text-warning">changed</span>}
      </span>
      <Status of={app.status} />
    </Link>
  );
}
