import { bytes, count, type HeldImage, type ImageCollection } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { CollectDialog, Lines } from './collect-dialog.tsx';

const KEPT_FOR: Record<NonNullable<HeldImage['kept_for']>, string> = {
  live: 'live',
  rollback: 'needed for a rollback',
  unfinished: 'being deployed',
  unrecorded: 'orphaned',
};

function keptFor({ kept_for }: HeldImage): string {
  return kept_for ? KEPT_FOR[kept_for] : 'unused';
}

const COLUMNS: readonly Column<HeldImage>[] = [
  { name: 'App', cell: ({ app }) => <AppLink app={app} /> },
  { name: 'Deployment', cell: (image) => <Deploy image={image} /> },
  { name: 'Reason kept', cell: (image) => (image.missing ? 'missing on the server' : keptFor(image)) },
  {
    name: 'Size',
    end: true,
    cell: ({ size_bytes }) => <span className="whitespace-nowrap tabular-nums">{bytes(size_bytes)}</span>,
  },
  {
    name: 'Image',
    wideOnly: true,
    cell: ({ image_id }) => <Copyable text={image_id}>{image_id.slice(0, 19)}…</Copyable>,
  },
];

/**
 * Renders the list of container images that Davit keeps on the server. Davit keeps an image while an app runs it, and
 * while a user can roll back to it.
 */
export function Images() {
  const images = useAnswer('listImages');
  return (
    <Card
      title="Images on the server"
      description="Davit keeps the images of live and earlier releases, so that a rollback does not have to pull them. Every 10 minutes, Davit removes images that are no longer needed."
      actions={<CollectImages />}
    >
      <Table
        label="Images on the server"
        columns={COLUMNS}
        rows={images}
        keyOf={({ tag }) => tag}
        empty={
          <Empty title="No images yet">
            <p>This list shows the image of each deployment. Deploy an app to see its image here.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function AppLink({ app }: { app: string | null }) {
  if (app === null) return <span className="text-soft">deleted</span>;
  return (
    <Link
      to={paths.app(appPath(app))}
      className="font-medium wrap-anywhere text-accent underline-offset-2 hover:underline"
    >
      {app}
    </Link>
  );
}

function Deploy({ image: { app, deployment } }: { image: HeldImage }) {
  if (app === null || deployment === null) return <span className="text-soft">—</span>;
  return (
    <Link
      to={paths.appDeployment({ ...appPath(app), deployment })}
      className="text-accent underline-offset-2 hover:underline"
    >
      #{deployment}
    </Link>
  );
}

function CollectImages() {
  const [plan, setPlan] = useState<ImageCollection | null>(null);
  const forbidden = useForbidden('administer');
  const look = useCall('collectImages', { onDone: setPlan });
  const collect = useCall('collectImages', {
    changes: ['listImages', 'getInstance'],
    onDone: ({ freed_bytes }) => {
      setPlan(null);
      say(`Freed at most ${bytes(freed_bytes)} on the server.`);
    },
  });
  return (
    <>
      <Button
        busy={look.isPending}
        disabledBecause={forbidden}
        onClick={() => look.mutate({ query: { dry_run: 'true' } }, { onError: sayProblem })}
      >
        Remove unused images…
      </Button>
      {plan && (
        <CollectDialog
          title="Remove unused images from the server"
          isNothing={plan.images.length + plan.names.length === 0}
          busy={collect.isPending}
          error={collect.error}
          onConfirm={() => collect.mutate({ query: { dry_run: 'false' } })}
          onClose={() => setPlan(null)}
        >
          <p>
            This removes {count(plan.images.length, 'image')} and {count(plan.names.length, 'image name')}, up to{' '}
            {bytes(plan.freed_bytes)}. Layers that other images share are kept. Images that Davit did not pull or build
            are not affected.
          </p>
          <Lines label="Images to remove" lines={plan.images.map(({ tag }) => tag)} />
          <Lines label="Image names to remove" lines={plan.names} />
        </CollectDialog>
      )}
    </>
  );
}
