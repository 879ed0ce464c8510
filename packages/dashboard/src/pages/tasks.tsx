import { DataTabs } from '../components/databases/data-tabs.tsx';
import { TASK_FILTERS, taskFilter } from '../components/tasks/task-filter.ts';
import { TaskTable } from '../components/tasks/task-table.tsx';
import { loadEarlier, useEarlier } from '../earlier.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Card, Empty } from '../ui/card.tsx';
import { CompactSelect } from '../ui/compact-select.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';
import { useSearchText } from '../util/params.ts';

export function load({ queries, search }: LoadArgs): Promise<void> {
  return loadEarlier(queries, 'listTasks', { query: taskFilter(search.status) }, search.pages);
}

export function Page() {
  const [status, setStatus] = useSearchText('status');
  const filter = taskFilter(status);
  const tasks = useEarlier('listTasks', { query: filter });
  return (
    <Frame title="Tasks" tabs={<DataTabs current="Tasks" />}>
      <Card
        title="Tasks"
        description="Background tasks, such as backups and restores. Newest first."
        actions={
          <CompactSelect
            label="Status"
            value={filter.status ?? ''}
            options={TASK_FILTERS}
            onChange={(next) => setStatus(next === '' ? null : next)}
          />
        }
      >
        <TaskTable tasks={tasks.items} empty={<Nothing isFiltered={filter.status !== undefined} />} />
        <ShowEarlier of={tasks} />
      </Card>
    </Frame>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className="py-6 text-center text-sm text-soft">No matching tasks.</p>;
  return (
    <Empty title="No tasks yet">
      <p>
        This page shows each task with its steps and its result. A task starts, for example, when you create or back up
        a database.
      </p>
    </Empty>
  );
}
