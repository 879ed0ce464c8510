import { isTaskOpen, type Task, type TemplateInstall } from '@davit/api';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Status } from '../../ui/status.tsx';
import { duration, Time } from '../../ui/time.tsx';
import { sayProblem } from '../../ui/toast.tsx';
import { useSearchChange } from '../../util/params.ts';
import { CancelTask } from '../tasks/cancel-task.tsx';
import { taskWords } from '../tasks/task-words.ts';
import { RunTimeline } from './run-timeline.tsx';
import { whyNotNow } from './status.ts';

/**
 * Shows the steps of a background task for an installed template. After a failed task, the card shows buttons for
 * possible actions.
 */
export function RunCard({ install, task }: { install: TemplateInstall; task: Task }) {
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {taskWords(task.kind)} <Status of={task.status} kind="task" />
        </span>
      }
      description={<Said task={task} />}
      actions={<RunActions install={install} task={task} />}
    >
      <RunTimeline task={task} />
      {task.status === 'failed' && install.status === 'failed' && <WhatIsLeft install={install} />}
    </Card>
  );
}

function Said({ task: { id, by, created_at, duration_ms, status } }: { task: Task }) {
  return (
    <>
      Task {id}, started by {by} <Time at={created_at} />
      {duration_ms !== null && !isTaskOpen(status) && `, took ${duration(duration_ms)}`}
    </>
  );
}

function RunActions({ install, task }: { install: TemplateInstall; task: Task }) {
  const forbidden = useForbidden('administer');
  const change = useSearchChange();
  const params = { install: String(install.id) };
  const changes = ['getTemplateInstall', 'listTemplateInstalls', 'listTasks', 'getTask'] as const;
  const retry = useCall('retryTemplateInstall', { changes, onDone: ({ id }) => change({ run: String(id) }) });
  const not = whyNotNow(install);
  if (isTaskOpen(task.status)) return <CancelTask task={task} />;
  if (install.status !== 'failed' || install.last_task !== task.id) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {not.uninstall === null && (
        <Button disabledBecause={forbidden} onClick={() => change({ uninstall: '1' })}>
          Remove resources…
        </Button>
      )}
      <Button
        kind="primary"
        disabledBecause={forbidden ?? not.retry}
        busy={retry.isPending}
        onClick={() => retry.mutate({ params }, { onError: sayProblem })}
      >
        Try again
      </Button>
    </div>
  );
}

/** Lists the resources that remain after a failed installation. */
function WhatIsLeft({ install }: { install: TemplateInstall }) {
  const left = install.resources.filter(({ state }) => state === 'made' || state === 'adopted');
  return (
    <p className="pt-2 text-sm text-soft">
      {left.length === 0
        ? 'Davit removed all created resources. “Try again” starts over with the same inputs.'
        : `These resources were kept: ${left.map(({ reference }) => reference).join(', ')}. “Try again” continues with them.`}
    </p>
  );
}
