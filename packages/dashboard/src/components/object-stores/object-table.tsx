import { bytes, count, type ObjectEntry } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { File, Folder } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { nameWithin } from './object-path.ts';
import { useStoreOfPage } from './use-store.ts';

interface Row extends ObjectEntry {
  bucket: string;
  name: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Name', cell: (row) => <Name row={row} /> },
  {
    name: 'Size',
    end: true,
    cell: ({ size_bytes }) => <span className="tabular-nums">{size_bytes === null ? '' : bytes(size_bytes)}</span>,
  },
  { name: 'Modified', wideOnly: true, cell: ({ modified_at: at }) => at && <Time at={at} /> },
  { name: 'Actions', hideName: true, end: true, cell: (row) => <RowActions row={row} /> },
];

export function ObjectTable({
  bucket,
  prefix,
  entries,
}: {
  bucket: string;
  prefix: string;
  entries: readonly ObjectEntry[];
}) {
  const rows = entries.map((entry) => ({ ...entry, bucket, name: nameWithin(entry.key, prefix) }));
  return (
    <Table
      label="Objects"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ key }) => key}
      empty={<Empty title={prefix === '' ? 'The bucket is empty' : 'This folder is empty'} />}
    />
  );
}

function Name({ row: { kind, key, name, bucket } }: { row: Row }) {
  if (kind === 'object') {
    return (
      <span className="inline-flex items-center gap-2 break-all">
        <File className="size-4 shrink-0 text-soft" aria-hidden />
        {name}
      </span>
    );
  }
  return (
    <Link
      to="."
      search={{ tab: 'buckets', bucket, prefix: key } as never}
      className="inline-flex items-center gap-2 font-medium break-all text-accent underline-offset-2 hover:underline"
    >
      <Folder className="size-4 shrink-0" aria-hidden />
      {name}
    </Link>
  );
}

function RowActions({ row }: { row: Row }) {
  const { params, operate } = useStoreOfPage();
  const [deleting, setDeleting] = useState(false);
  const { key, kind, name, bucket } = row;
  // Use a presigned URL, so that the browser downloads the object directly from the object store.
  const download = useCall('presignObject', { onDone: ({ url }) => window.location.assign(url) });
  const path = { ...params, bucket };
  const hidden = <span className="sr-only"> {name}</span>;
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {kind === 'object' && (
        <Button
          kind="quiet"
          busy={download.isPending}
          disabledBecause={operate}
          onClick={() =>
            download.mutate({ params: path, body: { key, method: 'GET', expires_s: 60 } }, { onError: sayProblem })
          }
        >
          Download{hidden}
        </Button>
      )}
      <Button kind="quiet" disabledBecause={operate} onClick={() => setDeleting(true)}>
        Delete…{hidden}
      </Button>
      {deleting && kind === 'object' && <DeleteObject row={row} onClose={() => setDeleting(false)} />}
      {deleting && kind === 'folder' && <DeleteFolder row={row} onClose={() => setDeleting(false)} />}
    </span>
  );
}

interface DeleteProps {
  row: Row;
  onClose: () => void;
}

function DeleteObject({ row: { key, name, bucket }, onClose }: DeleteProps) {
  const { params } = useStoreOfPage();
  const remove = useCall('deleteObject', {
    changes: ['listObjects'],
    onDone: () => {
      say(`Deleted ${name}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete ${name}?`}
      action="Delete object"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { ...params, bucket }, query: { key } })}
    >
      <p>This permanently deletes the object, unless versioning is enabled for the bucket.</p>
    </ConfirmDialog>
  );
}

function DeleteFolder({ row: { key, name, bucket }, onClose }: DeleteProps) {
  const { params } = useStoreOfPage();
  const remove = useCall('deleteFolder', {
    changes: ['listObjects'],
    onDone: ({ removed, more }) => {
      say(`${count(removed, 'object')} deleted${more ? '. Some objects remain: delete the folder again.' : '.'}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete folder ${name}?`}
      action="Delete all objects"
      typed={key}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { ...params, bucket }, query: { prefix: key, confirm: key } })}
    >
      <p>This permanently deletes all objects in this folder and its subfolders. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
