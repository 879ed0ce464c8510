import { bytes, type Volume } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';

const STATES: Record<Volume['state'], string> = {
  used: 'attached',
  kept: 'detached (app deleted)',
  trash: 'in the trash',
};

const COLUMNS: readonly Column<Volume>[] = [
  { name: 'App', cell: (volume) => <Owner volume={volume} /> },
  { name: 'Path', cell: ({ path }) => <span className="font-mono text-xs">{path}</span> },
  { name: 'State', cell: (volume) => <State volume={volume} /> },
  { name: 'Name', wideOnly: true, cell: ({ name }) => <Copyable text={name} /> },
  { name: 'Size', end: true, cell: ({ size_bytes }) => <Size bytes={size_bytes} /> },
  { name: 'Actions', hideName: true, end: true, cell: (volume) => <RowActions volume={volume} /> },
];

/** Lists the volumes of apps, the volumes of deleted apps, and the volumes in the trash. */
export function Volumes() {
  const known = useAnswer('listVolumes');
  const [sizes, setSizes] = useState(false);
  const measured = useQuery({ ...query('listVolumes', { query: { sizes: 'true' } }), enabled: sizes });
  const sized = new Map(measured.data?.map(({ id, size_bytes }) => [id, size_bytes]));
  const volumes = known.map((volume) => ({ ...volume, size_bytes: sized.get(volume.id) }));
  return (
    <Card
      title="Volumes"
      description="Volumes are persistent folders of apps. Davit keeps a volume when its app is deployed or deleted."
      actions={
        volumes.length > 0 && (
          <Button busy={measured.isFetching} onClick={() => (sizes ? void measured.refetch() : setSizes(true))}>
            Measure sizes
          </Button>
        )
      }
    >
      {measured.error && <Problem className="mb-3" error={measured.error} />}
      <Table
        label="Volumes"
        columns={COLUMNS}
        rows={volumes}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No volumes yet">
            <p>Add a volume in the settings of an app, in the section “Volumes”, or with the command line:</p>
            <p>
              <code className="font-mono text-xs">davit volume add shop/production/web /var/lib/data</code>
            </p>
          </Empty>
        }
      />
    </Card>
  );
}

function Owner({ volume: { app, state } }: { volume: Volume }) {
  // Render a link to the app only if the app uses the volume. The app of an unused volume may have been deleted.
  if (state !== 'used') return app;
  return (
    <Link to={paths.app(appPath(app))} className="font-medium text-accent underline-offset-2 hover:underline">
      {app}
    </Link>
  );
}

function State({ volume: { state, expires_at } }: { volume: Volume }) {
  return (
    <span className={state === 'trash' ? 'text-warning' : state === 'kept' ? 'text-soft' : ''}>
      {STATES[state]}
      {expires_at && (
        <>
          , permanently deleted <Time at={expires_at} />
        </>
      )}
    </span>
  );
}

function Size({ bytes: size }: { bytes: number | null | undefined }) {
  if (size === undefined) return <span className="text-soft">—</span>;
  return <span className="tabular-nums">{size === null ? 'unknown' : bytes(size)}</span>;
}

function RowActions({ volume: { id, name, state, path } }: { volume: Volume }) {
  const [deleting, setDeleting] = useState(false);
  const forbidden = useForbidden('administer');
  const params = { volume: String(id) };
  const changes = ['listVolumes', 'listAppVolumes', 'listApps', 'getApp'] as const;
  const restore = useCall('restoreVolume', {
    changes,
    onDone: (volume) =>
      say(
        volume.state === 'used'
          ? `Restored the volume for ${volume.app}.`
          : 'Restored the volume. You can now attach it to an app.',
      ),
  });
  const remove = useCall('deleteVolume', { changes, onDone: () => setDeleting(false) });
  if (state === 'used') return null;
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {state === 'trash' && (
        <Button
          kind="quiet"
          busy={restore.isPending}
          disabledBecause={forbidden}
          onClick={() => restore.mutate({ params }, { onError: sayProblem })}
        >
          Restore<span className="sr-only"> {name}</span>
        </Button>
      )}
      <Button kind="quiet" disabledBecause={forbidden} onClick={() => setDeleting(true)}>
        Delete…<span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={state === 'trash' ? `Delete ${path} permanently?` : `Move ${path} to the trash?`}
        action={state === 'trash' ? 'Delete permanently' : 'Move to trash'}
        typed={name}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params, query: { confirm: name } })}
      >
        {state === 'trash' ? (
          <p>This permanently deletes the volume with all its data. This cannot be undone.</p>
        ) : (
          <p>The volume moves to the trash. You can restore the volume until Davit deletes it permanently.</p>
        )}
      </ConfirmDialog>
    </span>
  );
}
