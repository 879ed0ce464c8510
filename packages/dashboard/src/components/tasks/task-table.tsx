import type { Task } from '@davit/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { duration, Time } from '../../ui/time.tsx';
import { subjectPage, taskWords } from './task-words.ts';

const LINK = 'font-medium text-accent underline-offset-2 hover:underline';

const COLUMNS: readonly Column<Task>[] = [
  {
    name: 'Task',
    cell: ({ id, kind }) => (
      <Link to={paths.task({ task: id })} className={LINK}>
        {taskWords(kind)}
      </Link>
    ),
  },
  { name: 'Resource', cell: ({ subject }) => <Subject subject={subject} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} kind="task" /> },
  { name: 'Started by', wideOnly: true, cell: ({ by, via }) => `${by} (${via})` },
  { name: 'Created', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: 'Duration',
    end: true,
    wideOnly: true,
    cell: ({ duration_ms }) => (duration_ms === null ? '—' : duration(duration_ms)),
  },
];

/**
 * Displayed names of resources, by kind of resource. A backup or installation has only a number. Its displayed name
 * therefore also contains the kind, such as `backup 12`.
 */
const SUBJECTS: Record<Task['subject']['kind'], (name: string) => string> = {
  database: (name) => name,
  object_store: (name) => name,
  backup: (number) => `backup ${number}`,
  install: (number) => `installation ${number}`,
  project: (name) => name,
};

export function Subject({ subject }: { subject: Task['subject'] }) {
  const page = subjectPage(subject);
  const name = SUBJECTS[subject.kind](subject.name);
  if (page === null) return name;
  return (
    <Link to={page} className="inline-block min-w-26 wrap-anywhere underline-offset-2 hover:underline">
      {name}
    </Link>
  );
}

export function TaskTable({ tasks, empty }: { tasks: readonly Task[]; empty: ReactNode }) {
  return <Table label="Tasks" columns={COLUMNS} rows={tasks} keyOf={({ id }) => id} empty={empty} />;
}
