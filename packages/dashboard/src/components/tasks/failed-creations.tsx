import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { type CreatedKind, failedCreations, NEWEST_TASKS } from './creations.ts';
import { subjectPage } from './task-words.ts';

/**
 * Lists the resources of a kind that do not exist because their creation failed, with the reasons. Renders nothing if
 * no creation failed.
 * @param existing names of the existing resources of this kind
 */
export function FailedCreations({ kind, existing }: { kind: CreatedKind; existing: readonly string[] }) {
  const tasks = useQuery(query('listTasks', NEWEST_TASKS)).data ?? [];
  const failed = failedCreations(tasks, { [kind]: existing }, useNow());
  if (failed.length === 0) return null;
  return (
    <Card title="Failed creations">
      <ul aria-label="Failed creations" className="divide-y divide-line text-sm">
        {failed.map(({ id, subject, error, created_at }) => (
          <li key={id} className="flex items-start justify-between gap-3 py-2">
            <div className="min-w-0 break-words">
              <Link
                to={subjectPage(subject) ?? ''}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                {subject.name}
              </Link>
              <p className="text-error">{error}</p>
            </div>
            <span className="shrink-0 text-xs text-soft">
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
