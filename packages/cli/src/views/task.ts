import { type Task, taskStepWords } from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute, statusWord, took } from '../output/words.ts';

const STYLES: Record<Task['status'], Style> = {
  pending: 'dim',
  running: 'cyan',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'yellow',
};

export const taskList: ListView<Task> = {
  columns: [
    { header: 'task', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'kind', value: ({ kind }) => kind },
    { header: 'resource', value: ({ subject }) => subject.name },
    { header: 'status', value: ({ status }) => statusWord(status), style: ({ status }) => STYLES[status] },
    { header: 'by', value: ({ by }) => by },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
    { header: 'duration', value: ({ duration_ms }) => took(duration_ms), align: 'right' },
  ],
  id: ({ id }) => id,
  empty: 'No tasks found.',
};

export function taskFields(task: Task): Field[] {
  const says = taskStepWords(task.kind);
  return [
    ['task', task.id, 'bold'],
    ['kind', task.kind],
    ['resource', `${task.subject.kind} ${task.subject.name}`],
    ['status', statusWord(task.status), STYLES[task.status]],
    ['error', task.error ?? undefined, 'red'],
    ['steps', task.steps.map(({ name, error, finished_at }) => `${mark(error, finished_at)} ${says(name)}`)],
    ['by', task.by],
    ['started', minute(task.started_at)],
    ['finished', minute(task.finished_at)],
    ['log', task.log],
  ];
}

function mark(error: string | null, finished: string | null): string {
  if (error !== null) return '✗';
  return finished === null ? '…' : '✓';
}
