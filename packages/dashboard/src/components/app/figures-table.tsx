import { bytes } from '@davit/api';
import { Button } from '../../ui/button.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { percent, rate } from '../../util/amounts.ts';
import { useSearchText } from '../../util/params.ts';
import { exactly } from '../charts/plot-options.ts';
import { type FigureRow, figureRows, type Traffic, type Usage } from './app-figures.ts';

const ROWS = 24;
const or = (value: number | null, say: (value: number) => string) => (value === null ? '–' : say(value));

const COLUMNS: readonly Column<FigureRow>[] = [
  { name: 'Time', cell: ({ at }) => exactly(at) },
  { name: 'Requests/s', end: true, cell: (row) => or(row.rate, rate) },
  { name: 'p95', end: true, cell: (row) => or(row.p95, (value) => `${Math.round(value)} ms`) },
  { name: '5xx', wideOnly: true, end: true, cell: (row) => or(row.serverErrors, percent) },
  { name: 'CPU', end: true, cell: (row) => or(row.cpu, percent) },
  { name: 'Memory', wideOnly: true, end: true, cell: (row) => or(row.memory, bytes) },
];

export function FiguresTable({ usage, traffic }: { usage: Usage; traffic: Traffic }) {
  const [shown, setShown] = useSearchText('figures');
  const isShown = shown === 'table';
  return (
    <div className="flex flex-col gap-2">
      <div>
        <Button kind="quiet" aria-expanded={isShown} onClick={() => setShown(isShown ? null : 'table')}>
          {isShown ? 'Hide table' : 'Show as table'}
        </Button>
      </div>
      {isShown && (
        <div className="rounded-xl border border-line bg-panel p-4 tabular-nums">
          <Table label="Metrics" columns={COLUMNS} rows={figureRows(usage, traffic, ROWS)} keyOf={({ at }) => at} />
        </div>
      )}
    </div>
  );
}
