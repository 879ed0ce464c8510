import type { App } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, Play, RotateCw, Square, SquareArrowUp } from 'lucide-react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuItem } from '../../ui/menu-item.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { whyNot } from './app-may.ts';

/** Renders the buttons at the top of each app page, such as `Deploy`. Each button opens a form over the page. */
export function AppActions({ app }: { app: App }) {
  const forbidden = useForbidden('operate');
  const [, setDeploy] = useSearchText('deploy');
  const [, setRollback] = useSearchText('rollback');
  const not = whyNot(app, forbidden);
  return (
    <>
      <Button disabledBecause={not.rollBack} onClick={() => setRollback('previous')}>
        Roll back…
      </Button>
      <Button kind="primary" disabledBecause={not.deploy} onClick={() => setDeploy('1')}>
        Deploy…
      </Button>
      <Menu
        items={useMenu(app, not)}
        trigger={
          <Button kind="plain" aria-label={`More for ${app.name}`} className="px-2">
            <EllipsisVertical className="size-4" aria-hidden />
          </Button>
        }
      />
    </>
  );
}

function useMenu(app: App, not: ReturnType<typeof whyNot>): MenuItem[] {
  const [, setPromote] = useSearchText('promote');
  const [, setRestart] = useSearchText('restart');
  const [, setStop] = useSearchText('stop');
  const path = useAppPath();
  const navigate = useNavigate();
  const start = useCall('startApp', {
    changes: ['getApp', 'listDeployments'],
    onDone: ({ id }) => void navigate({ to: paths.appDeployment({ ...path, deployment: id }) }),
  });
  return [
    {
      label: 'Promote from…',
      icon: <SquareArrowUp className="size-4" aria-hidden />,
      onSelect: () => setPromote('1'),
      disabledBecause: not.promote,
    },
    {
      label: 'Restart…',
      icon: <RotateCw className="size-4" aria-hidden />,
      onSelect: () => setRestart('1'),
      disabledBecause: not.restart,
    },
    app.status === 'stopped'
      ? {
          label: 'Start',
          icon: <Play className="size-4" aria-hidden />,
          onSelect: () => start.mutate({ params: path }, { onError: sayProblem }),
          disabledBecause: not.start,
        }
      : {
          label: 'Stop…',
          icon: <Square className="size-4" aria-hidden />,
          onSelect: () => setStop('1'),
          disabledBecause: not.stop,
        },
  ];
}
