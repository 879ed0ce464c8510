import { REVISION_CHANGES, type RevisionSummary } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { useEarlier } from '../../earlier.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ShowEarlier } from '../../ui/show-earlier.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { RevisionDialog } from './revision-dialog.tsx';

const COLUMNS: readonly Column<RevisionSummary>[] = [
  { name: 'Revision', cell: ({ number }) => <code className="font-mono">{number}</code> },
  {
    name: 'Change',
    cell: ({ reason, live }) => (
      <>
        {REVISION_CHANGES[reason]}
        {live && <span className="ml-2 rounded bg-good-soft px-1.5 py-0.5 text-xs text-good">live</span>}
      </>
    ),
  },
  { name: 'By', wideOnly: true, cell: ({ changed_by }) => changed_by },
  { name: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Compare', hideName: true, end: true, cell: (revision) => <Compare revision={revision} /> },
];

export function RevisionsSection() {
  const revisions = useEarlier('listRevisions', { params: useAppPath() });
  return (
    <Card
      title="Revisions"
      description="Each change of settings or variables creates a revision. You can restore any revision. The newest revision is at the top."
    >
      <Table label="Revisions" columns={COLUMNS} rows={revisions.items} keyOf={({ number }) => number} />
      <ShowEarlier of={revisions} />
      <RevisionDialog />
    </Card>
  );
}

function Compare({ revision: { number } }: { revision: RevisionSummary }) {
  const { revision } = useAnswer('getApp', { params: useAppPath() });
  const [, setShown] = useSearchText('revision');
  return (
    <Button
      kind="quiet"
      disabledBecause={number === revision ? 'This is the current revision.' : null}
      onClick={() => setShown(String(number))}
    >
      Compare<span className="sr-only"> revision {number}</span>
    </Button>
  );
}
