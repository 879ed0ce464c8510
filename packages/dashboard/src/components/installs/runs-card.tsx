import type { Task, TemplateInstall } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { duration, Time } from '../../ui/time.tsx';
import { taskWords } from '../tasks/task-words.ts';
import { runsOf } from './runs.ts';

const COLUMNS: readonly Column<Task>[] = [
  {
    name: 'Run',
    cell: ({ id, kind }) => (
      <Link to="." search={{ run: String(id) } as never} className="font-medium underline-offset-2 hover:underline">
        {taskWords(kind)} #{id}
      </Link>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} kind="task" /> },
  { name: 'Started by', wideOnly: true, cell: ({ by }) => by },
  { name: 'Duration', wideOnly: true, cell: ({ duration_ms }) => (duration_ms === null ? '–' : duration(duration_ms)) },
  { name: 'Started', end: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function RunsCard({ install: { id } }: { install: TemplateInstall }) {
  const runs = useAnswer('listTasks', runsOf(id));
  return (
    <Card title="Runs">
      <Table label="Runs" columns={COLUMNS} rows={runs} keyOf={(run) => run.id} />
    </Card>
  );
}
