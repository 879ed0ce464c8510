import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { headersOf, query } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { nextCursor } from '../../util/next-cursor.ts';
import { useSearchText } from '../../util/params.ts';
import { NotForYou } from '../admin/not-for-you.tsx';
import { foldersTo } from './object-path.ts';
import { ObjectTable } from './object-table.tsx';
import { Upload } from './upload.tsx';
import { useStoreOfPage } from './use-store.ts';

/** Lists the objects of a bucket by folder. Davit requests the list of objects from the S3 server each time. */
export function Objects({ bucket }: { bucket: string }) {
  const forbidden = useForbidden('secrets');
  if (forbidden !== null) return <NotForYou what="the objects of a bucket" reason={forbidden} />;
  return <Listing bucket={bucket} />;
}

function Listing({ bucket }: { bucket: string }) {
  const { params, operate } = useStoreOfPage();
  const [prefixText] = useSearchText('prefix');
  const [cursor, setCursor] = useSearchText('cursor');
  const [uploading, setUploading] = useState(false);
  const prefix = prefixText ?? '';
  const listQuery = { ...(prefix !== '' && { prefix }), ...(cursor !== null && { cursor }) };
  const { data: entries, error } = useQuery({
    ...query('listObjects', { params: { ...params, bucket }, query: listQuery }),
    // Fetch the list of objects each time. Davit gets no events about changes that other clients make to the bucket.
    staleTime: 0,
  });
  const next = nextCursor(headersOf(entries));
  return (
    <Card
      title={<Folders bucket={bucket} prefix={prefix} />}
      actions={
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="." search={{ tab: 'buckets' } as never}>
            All buckets
          </ButtonLink>
          <Button disabledBecause={operate} onClick={() => setUploading(true)}>
            Upload…
          </Button>
        </div>
      }
    >
      {error && <Problem error={error} />}
      {!error && entries === undefined && <Spinner label="Loading objects" />}
      {entries && !error && <ObjectTable bucket={bucket} prefix={prefix} entries={entries} />}
      {(cursor !== null || next !== null) && (
        <div className="mt-3 flex justify-end gap-2">
          <Button disabledBecause={cursor === null ? 'This is the first page.' : null} onClick={() => setCursor(null)}>
            First page
          </Button>
          <Button disabledBecause={next === null ? 'There are no more objects.' : null} onClick={() => setCursor(next)}>
            Next page
          </Button>
        </div>
      )}
      {uploading && <Upload bucket={bucket} prefix={prefix} onClose={() => setUploading(false)} />}
    </Card>
  );
}

function Folders({ bucket, prefix }: { bucket: string; prefix: string }) {
  const folders = foldersTo(bucket, prefix);
  return (
    <span className="flex flex-wrap items-center gap-1">
      {folders.map((folder, at) => (
        <span key={folder.prefix} className="flex items-center gap-1">
          {at > 0 && <span className="text-soft">/</span>}
          {at === folders.length - 1 ? (
            <span className="break-all">{folder.name}</span>
          ) : (
            <Link
              to="."
              search={{ tab: 'buckets', bucket, ...(folder.prefix !== '' && { prefix: folder.prefix }) } as never}
              className="break-all text-accent underline-offset-2 hover:underline"
            >
              {folder.name}
            </Link>
          )}
        </span>
      ))}
    </span>
  );
}
