import { isTaskOpen } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TaskSteps } from './task-steps.tsx';
import { taskWords } from './task-words.ts';

/**
 * Shows the background task of a resource on the page of the resource, until the task ends.
 * @param id id of the task; `null` if there is no task to show
 */
export function OpenTask({ id }: { id: number | null }) {
  const { data: task, error } = useQuery({
    ...query('getTask', { params: { task: String(id) } }),
    enabled: id !== null,
  });
  if (id === null) return null;
  if (error !== null) return <Problem error={error} />;
  if (task === undefined || !isTaskOpen(task.status)) return null;
  return (
    <div className="flex flex-col gap-2">
      <TaskSteps task={task} title={taskWords(task.kind)} />
      <div className="text-right">
        <ButtonLink to={paths.task({ task: id })} kind="quiet">
          Task {id}
        </ButtonLink>
      </div>
    </div>
  );
}
