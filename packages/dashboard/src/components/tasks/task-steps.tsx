import { helpPath, isTaskOpen, type Task, taskStepWords } from '@davit/api';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { StepRows, useServerTime } from '../deployments/step-rows.tsx';
import { timelineOf } from '../deployments/timeline.ts';
import { CancelTask } from './cancel-task.tsx';
import { progressWords, shareDone, taskWords } from './task-words.ts';

/** Renders a card with the steps of a background task. Each step shows its progress and its error. */
export function TaskSteps({ task, title = 'Steps' }: { task: Task; title?: string }) {
  const rows = timelineOf(task, [], useServerTime(task), taskStepWords(task.kind));
  const running = rows.find(({ state }) => state === 'running');
  return (
    <Card title={title} actions={isTaskOpen(task.status) && <CancelTask task={task} />}>
      {rows.length === 0 && (
        <p className="text-sm text-soft">
          {isTaskOpen(task.status) ? 'The task has not started yet.' : 'The task ended before its first step started.'}
        </p>
      )}
      <StepRows rows={rows} />
      {isTaskOpen(task.status) && <Progress task={task} />}
      {task.error !== null && (
        <Problem className="mt-3" error={new Error(task.error)} help={helpPath(task.error_code)} />
      )}
      {isTaskOpen(task.status) && (
        <p role="status" className="sr-only">
          {running ? `${running.says}…` : `${taskWords(task.kind)}: waiting.`}
        </p>
      )}
    </Card>
  );
}

function Progress({ task: { progress } }: { task: Task }) {
  if (progress === null) return null;
  const share = shareDone(progress);
  return (
    <div className="mt-3 flex items-center gap-3 text-sm">
      {share !== null && (
        <progress
          aria-label="Progress"
          className="h-2 min-w-0 flex-1 accent-accent"
          max={100}
          value={Math.round(share * 100)}
        />
      )}
      <span className="text-soft tabular-nums">{progressWords(progress)}</span>
    </div>
  );
}
