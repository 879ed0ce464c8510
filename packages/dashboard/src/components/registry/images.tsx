import type { HeldImage, ImageCollection } from '@davit/api';
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
import { bytes, count } from '../../util/amounts.ts';
import { CollectDialog, Lines } from './collect-dialog.tsx';

const KEPT_FOR: Record<NonNullable<HeldImage['kept_for']>, string> = {
  live: 'is live',
  rollback: 'can be rolled back to',
  unfinished: 'is being deployed',
  unrecorded: 'has no record',
};

function keptFor({ kept_for }: HeldImage): string {
  return kept_for ? KEPT_FOR[kept_for] : 'is not needed any more';
}

const COLUMNS: readonly Column<HeldImage>[] = [
  { name: 'App', cell: ({ app }) => <AppLink app={app} /> },
  { name: 'Deploy', cell: (image) => <Deploy image={image} /> },
  { name: 'Reason kept', cell: (image) => (image.missing ? 'is missing from the engine' : keptFor(image)) },
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

/** Lists the images on the server for releases that are live or available for a rollback. */
export function Images() {
  const images = useAnswer('listImages');
  return (
    <Card
      title="Images on the machine"
      description="Held so that a rollback needs no pull. What nothing needs goes by itself every ten minutes."
      actions={<CollectImages />}
    >
      <Table
        label="Images on the machine"
        columns={COLUMNS}
        rows={images}
        keyOf={({ tag }) => tag}
        empty={
          <Empty title="No image is held">
            <p>With the first deploy of an app its image is.</p>
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
      say(`Freed at most ${bytes(freed_bytes)} on the machine.`);
    },
  });
  return (
    <>
      <Button
        busy={look.isPending}
        disabledBecause={forbidden}
        onClick={() => look.mutate({ query: { dry_run: 'true' } }, { onError: sayProblem })}
      >
        Collect images…
      </Button>
      {plan && (
        <CollectDialog
          title="Let go of images that nothing needs"
          isNothing={plan.images.length + plan.names.length === 0}
          busy={collect.isPending}
          error={collect.error}
          onConfirm={() => collect.mutate({ query: { dry_run: 'false' } })}
          onClose={() => setPlan(null)}
        >
          <p>
            {count(plan.images.length, 'held image')} and {count(plan.names.length, 'name')} go: at most{' '}
            {bytes(plan.freed_bytes)}, since layers that other images share stay. Nothing that somebody else pulled or
            built is touched.
          </p>
          <Lines label="Held images that go" lines={plan.images.map(({ tag }) => tag)} />
          <Lines label="Names that go" lines={plan.names} />
        </CollectDialog>
      )}
    </>
  );
}
