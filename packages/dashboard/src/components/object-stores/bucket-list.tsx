import type { Bucket } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { AttachBucket } from './bucket-apps.tsx';
import { useStoreOfPage } from './use-store.ts';

const COLUMNS: readonly Column<Bucket>[] = [
  {
    name: 'Bucket',
    cell: ({ name }) => (
      <Link
        to="."
        search={{ tab: 'buckets', bucket: name } as never}
        className="font-medium break-all text-accent underline-offset-2 hover:underline"
      >
        {name}
      </Link>
    ),
  },
  { name: 'Created', wideOnly: true, cell: ({ created_at: at }) => (at === null ? '—' : <Time at={at} />) },
  { name: 'Actions', hideName: true, end: true, cell: (bucket) => <RowActions bucket={bucket} /> },
];

/** Lists the buckets of an object store. Davit requests the list of buckets from the S3 server each time. */
export function BucketList() {
  const { store, params, not } = useStoreOfPage();
  const { data: buckets, error } = useQuery({ ...query('listBuckets', { params }), enabled: not.use === null });
  const [making, setMaking] = useState(false);
  const one = store.bucket === null ? null : `The keys of this store are only valid for ${store.bucket}.`;
  return (
    <Card
      title="Buckets"
      actions={
        <Button disabledBecause={not.operate ?? not.use ?? one} onClick={() => setMaking(true)}>
          New bucket…
        </Button>
      }
    >
      {not.use !== null && <p className="text-sm text-soft">{not.use}</p>}
      {error && <Problem error={error} />}
      {!error && not.use === null && buckets === undefined && <Spinner label="Loading buckets" />}
      {buckets && !error && (
        <Table
          label="Buckets"
          columns={COLUMNS}
          rows={buckets}
          keyOf={({ name }) => name}
          empty={<Empty title="No buckets yet" />}
        />
      )}
      {making && <NewBucket onClose={() => setMaking(false)} />}
    </Card>
  );
}

function RowActions({ bucket: { name } }: { bucket: Bucket }) {
  const { operate, administer } = useStoreOfPage();
  const [open, setOpen] = useState<'attach' | 'delete' | null>(null);
  const onClose = () => setOpen(null);
  const hidden = <span className="sr-only"> {name}</span>;
  return (
    <span className="flex flex-wrap justify-end gap-1">
      <Button kind="quiet" disabledBecause={operate} onClick={() => setOpen('attach')}>
        Attach app…{hidden}
      </Button>
      <Button kind="quiet" disabledBecause={administer} onClick={() => setOpen('delete')}>
        Delete…{hidden}
      </Button>
      {open === 'attach' && <AttachBucket bucket={name} onClose={onClose} />}
      {open === 'delete' && <DeleteBucket bucket={name} onClose={onClose} />}
    </span>
  );
}

function NewBucket({ onClose }: { onClose: () => void }) {
  const { store, params } = useStoreOfPage();
  const [name, setName] = useState('');
  const make = useCall('createBucket', {
    changes: ['listBuckets'],
    onDone: () => {
      say(`Created bucket ${name}.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`New bucket in ${store.name}`}
      action="Create bucket"
      busy={make.isPending}
      disabledBecause={name === '' ? 'Enter a name first.' : null}
      error={make.error}
      onEdit={make.reset}
      fields={['name']}
      noValidate
      onSubmit={() => make.mutate({ params, body: { name } })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        autoFocus
        autoCapitalize="none"
        hint="3 to 63 lowercase letters, digits, hyphens and dots."
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={errorFor(make.error, 'name')}
      />
    </FormDialog>
  );
}

function DeleteBucket({ bucket, onClose }: { bucket: string; onClose: () => void }) {
  const { params } = useStoreOfPage();
  const remove = useCall('deleteBucket', { changes: ['listBuckets'], onDone: onClose });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete bucket ${bucket}?`}
      action="Delete bucket"
      typed={bucket}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { ...params, bucket }, query: { confirm: bucket } })}
    >
      <p>The bucket must be empty, and no app or schedule may use it. The deletion cannot be undone.</p>
    </ConfirmDialog>
  );
}
