import type { RevisionSummary } from '@davit/api';
import { useState } from 'react';
import { headersOf, useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { RevisionDialog } from './revision-dialog.tsx';

const REASONS: Record<RevisionSummary['reason'], string> = {
  created: 'The app was created',
  settings: 'Settings were changed',
  variables: 'Variables were changed',
  running: 'Scale or limits were changed',
  restored: 'An earlier one was brought back',
};

const COLUMNS: readonly Column<RevisionSummary>[] = [
  { name: 'Revision', cell: ({ number }) => <code className="font-mono">{number}</code> },
  {
    name: 'What changed',
    cell: ({ reason, live }) => (
      <>
        {REASONS[reason]}
        {live && <span className="ml-2 rounded bg-good-soft px-1.5 py-0.5 text-xs text-good">live</span>}
      </>
    ),
  },
  { name: 'By', wideOnly: true, cell: ({ changed_by }) => changed_by },
  { name: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Compare', hideName: true, end: true, cell: (revision) => <Compare revision={revision} /> },
];

/** Every change of the app's settings and variables, to compare and to go back to. */
export function RevisionsSection() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const params = useAppPath();
  const revisions = useAnswer('listRevisions', { params, query: { limit: '20' as never, ...(cursor && { cursor }) } });
  const next = cursorOf(headersOf(revisions)?.get('link') ?? '');
  return (
    <Card
      title="Revisions"
      description="Every change of settings or variables is one, newest first. Each can be brought back."
    >
      <Table label="Revisions" columns={COLUMNS} rows={revisions} keyOf={({ number }) => number} />
      {(cursor || next) && (
        <div className="mt-4 flex justify-end gap-2">
          <Button
            disabledBecause={cursor ? null : 'These are the newest.'}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            disabledBecause={next ? null : 'There are no older ones.'}
            onClick={() => next && setCursors([...cursors, next])}
          >
            Older
          </Button>
        </div>
      )}
      <RevisionDialog />
    </Card>
  );
}

/** Of the header that names the next page. */
function cursorOf(link: string): string | null {
  const [, address = ''] = /<([^>]*)>;\s*rel="?next"?/.exec(link) ?? [];
  return new URLSearchParams(address.split('?')[1] ?? '').get('cursor');
}

function Compare({ revision: { number } }: { revision: RevisionSummary }) {
  const { revision } = useAnswer('getApp', { params: useAppPath() });
  const [, setShown] = useSearchText('revision');
  return (
    <Button
      kind="quiet"
      disabledBecause={number === revision ? 'This is what the app has now.' : null}
      onClick={() => setShown(String(number))}
    >
      Compare<span className="sr-only"> revision {number}</span>
    </Button>
  );
}
