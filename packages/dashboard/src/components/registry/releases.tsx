import { bytes, type Release } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { type AppPath, appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';

const MOST = '100';

export function Releases({ app }: { app: string }) {
  const path = appPath(app);
  const { data, error } = useQuery(query('listReleases', { params: path, query: { limit: MOST } }));
  if (error) return <Problem className="my-2" error={error} />;
  if (!data)
    return (
      <p className="py-2 pl-6">
        <Spinner label={`Loading the releases of ${app}`} />
      </p>
    );
  if (data.length === 0) return <p className="py-2 pl-6 text-sm text-soft">No images in this repository yet.</p>;
  return (
    <ul aria-label={`Releases of ${app}`} className="mt-1 flex flex-col divide-y divide-line pl-6">
      {data.map((release) => (
        <li key={release.tag} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5 text-sm">
          <OneRelease path={path} release={release} />
        </li>
      ))}
    </ul>
  );
}

function OneRelease({ path, release }: { path: AppPath; release: Release }) {
  const { tag, digest, live, pushed_at, pushed_by, deployment } = release;
  return (
    <>
      <span className="flex min-w-0 flex-1 basis-40 items-center gap-2">
        <span className="truncate font-mono font-medium">{tag}</span>
        {live && <span className="rounded bg-good-soft px-1.5 text-xs text-good">live</span>}
      </span>
      <span className="w-44 text-soft">
        <Copyable text={digest}>{digest.slice(0, 19)}…</Copyable>
      </span>
      <span className="w-20 text-soft tabular-nums">
        {release.bytes === null ? 'not measured' : bytes(release.bytes)}
      </span>
      <span className="min-w-36 text-soft">
        <Time at={pushed_at} />
        {pushed_by && ` by ${pushed_by}`}
      </span>
      <span className="w-28 whitespace-nowrap">
        {deployment === null ? (
          <span className="text-soft">never deployed</span>
        ) : (
          <Link
            to={paths.appDeployment({ ...path, deployment })}
            className="text-accent underline-offset-2 hover:underline"
          >
            deployment #{deployment}
          </Link>
        )}
      </span>
      <DeleteRelease path={path} release={release} />
    </>
  );
}

function DeleteRelease({ path, release: { tag, live } }: { path: AppPath; release: Release }) {
  const [open, setOpen] = useState(false);
  const forbidden = useForbidden('operate');
  const remove = useCall('deleteRelease', {
    changes: ['listReleases', 'listRepositories'],
    onDone: () => {
      setOpen(false);
      say(`Deleted the release ${tag}.`);
    },
  });
  return (
    <>
      <Button
        kind="quiet"
        disabledBecause={
          forbidden ??
          (live ? 'You cannot delete the live release. Deploy another release before you delete this release.' : null)
        }
        onClick={() => setOpen(true)}
      >
        Delete…<span className="sr-only"> {tag}</span>
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete release ${tag}?`}
        action="Delete release"
        typed={tag}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { ...path, tag } })}
      >
        <p>
          This deletes the tag, but no other tag of the same image. Davit keeps the image while a rollback needs the
          image. Later, a garbage collection removes the image.
        </p>
      </ConfirmDialog>
    </>
  );
}
