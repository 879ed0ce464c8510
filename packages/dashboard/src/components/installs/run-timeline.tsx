import { helpPath, isTaskOpen, type Task, taskStepWords } from '@davit/api';
import { Problem } from '../../ui/problem.tsx';
import { StepRows, useServerTime } from '../deployments/step-rows.tsx';
import { timelineOf } from '../deployments/timeline.ts';
import { progressWords } from '../tasks/task-words.ts';
import { runStepsAhead } from './run-steps.ts';

/**
 * Renders the steps of a background task with their durations. For a running task, also shows the progress and the
 * steps that have not started.
 */
export function RunTimeline({ task }: { task: Task }) {
  const now = useServerTime(task);
  const rows = timelineOf(task, runStepsAhead(task), now, taskStepWords(task.kind));
  const progress = task.progress === null ? null : progressWords(task.progress);
  const running = rows.find(({ state }) => state === 'running');
  const isOpen = isTaskOpen(task.status);
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 && (
        <p className="text-sm text-soft">
          {isOpen ? 'The task has not started yet.' : 'The task ended before its first step started.'}
        </p>
      )}
      <StepRows rows={rows} />
      {isOpen && (
        <p role="status" className={progress === null ? 'sr-only' : 'text-sm text-soft'}>
          {running ? `${running.says}…` : 'Waiting for another task.'} {progress}
        </p>
      )}
      {task.error !== null && <Problem error={new Error(task.error)} help={helpPath(task.error_code)} />}
    </div>
  );
}
