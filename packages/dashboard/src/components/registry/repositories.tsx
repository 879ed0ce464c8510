import { bytes, type Repository } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { contentsOf } from './contents.ts';
import { NoRepository } from './no-repository.tsx';
import { Releases } from './releases.tsx';

/**
 * Lists the repositories of the registry, one for each app. The query parameter `?repository=` opens the list of
 * releases of a repository.
 */
export function Repositories() {
  const repositories = useAnswer('listRepositories');
  const [text, setText] = useSearchText('filter');
  const [open, setOpen] = useSearchText('repository');
  if (repositories.length === 0) return <NoRepository />;
  const shown = repositories.filter(({ name }) => name.includes((text ?? '').toLowerCase()));
  return (
    <Card
      title="Repositories"
      actions={repositories.length > 1 && <FilterField label="Filter repositories" text={text} onChange={setText} />}
    >
      {shown.length === 0 && (
        <p className="py-6 text-center text-sm text-soft">No repository with “{text}” in the name.</p>
      )}
      <ul aria-label="Repositories" className="-mx-4 -mb-4 divide-y divide-line border-t border-line">
        {shown.map((repository) => (
          <li key={repository.name} className="px-4 py-2">
            <One
              repository={repository}
              isOpen={repository.name === open}
              onToggle={() => setOpen(repository.name === open ? null : repository.name)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function One({ repository, isOpen, onToggle }: { repository: Repository; isOpen: boolean; onToggle: () => void }) {
  const { name, app } = repository;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 basis-56 items-center gap-1.5 rounded text-left font-medium"
        >
          <ChevronRight className={`size-4 shrink-0 text-soft ${isOpen ? 'rotate-90' : ''}`} aria-hidden />
          <span className="truncate">{name}</span>
        </button>
        <span className="text-soft tabular-nums">{contentsOf(repository)}</span>
        <span className="w-20 text-right text-soft tabular-nums">
          {repository.bytes === null ? 'not measured' : bytes(repository.bytes)}
        </span>
        {app ? (
          <Link to={paths.app(appPath(app))} className="text-accent underline-offset-2 hover:underline">
            View app<span className="sr-only"> {app}</span>
          </Link>
        ) : (
          <Leftover repository={repository} />
        )}
      </div>
      {isOpen && app && <Releases app={app} />}
      {isOpen && !app && (
        <p className="py-2 pl-6 text-sm text-soft">
          The list does not show releases of deleted apps. To use the releases, create the app again.
        </p>
      )}
    </>
  );
}

/**
 * Shows the registry repository of a deleted app. Davit deletes this repository later, but the user can delete it
 * immediately.
 */
function Leftover({ repository: { name, removed_at } }: { repository: Repository }) {
  const [open, setOpen] = useState(false);
  const forbidden = useForbidden('administer');
  const remove = useCall('deleteRepository', {
    changes: ['listRepositories', 'getOwnRegistry'],
    onDone: () => {
      setOpen(false);
      say(`Deleted the repository ${name}.`);
    },
  });
  return (
    <>
      <span className="text-soft">app deleted{removed_at && <Goes at={removed_at} />}</span>
      <Button disabledBecause={forbidden} onClick={() => setOpen(true)}>
        Delete…<span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete repository ${name}?`}
        action="Delete repository"
        typed={name}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: appPath(name), query: { confirm: name } })}
      >
        <p>This permanently deletes all images that were pushed for the deleted app. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  );
}

function Goes({ at }: { at: string }) {
  return (
    <>
      , will be deleted <Time at={at} />
    </>
  );
}
