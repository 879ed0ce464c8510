import type { Task } from '@davit/api';
import { loadPresent, usePresent } from '../components/app/use-present.ts';
import { TaskSteps } from '../components/tasks/task-steps.tsx';
import { Subject } from '../components/tasks/task-table.tsx';
import { taskWords } from '../components/tasks/task-words.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Card, Facts } from '../ui/card.tsx';
import { Status } from '../ui/status.tsx';
import { duration, Time } from '../ui/time.tsx';
import { useName } from '../util/params.ts';

export function load({ queries, params }: LoadArgs<{ task: string }>): Promise<unknown> {
  return loadPresent(queries, 'getTask', { params: { task: params.task } });
}

export function Page() {
  const task = usePresent('getTask', { params: { task: useName('task') } });
  return (
    <Frame title={taskWords(task.kind)} lead={<Status of={task.status} kind="task" />}>
      <TaskSteps task={task} />
      <Card title="Details">
        <Facts rows={factsOf(task)} />
      </Card>
      {task.log !== undefined && task.log.length > 0 && (
        <Card title="Output">
          <pre className="max-h-96 overflow-auto rounded-md bg-sunken p-2.5 font-mono text-xs whitespace-pre-wrap">
            {task.log.join('\n')}
          </pre>
        </Card>
      )}
    </Frame>
  );
}

function factsOf({ id, subject, by, via, created_at, finished_at, duration_ms }: Task) {
  return [
    ['Number', `#${id}`],
    ['Resource', <Subject key="of" subject={subject} />],
    ['Started by', `${by}, ${via}`],
    ['Created', <Time key="asked" at={created_at} />],
    ['Ended', finished_at === null ? '—' : <Time key="ended" at={finished_at} />],
    ['Duration', duration_ms === null ? '—' : duration(duration_ms)],
  ] as const;
}
