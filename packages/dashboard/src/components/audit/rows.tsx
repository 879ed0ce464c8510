import type { AuditEvent } from '@davit/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Wrapping } from '../../ui/wrapping.tsx';
import { pageOfTarget } from './target.ts';
import { operationInWords } from './words.ts';

const TONES: Record<AuditEvent['outcome'], string> = { ok: 'text-good', refused: 'text-warning', failed: 'text-error' };

function Who({ actor, keyName }: { actor: string | null; keyName: string | undefined }) {
  if (actor === null) return <span className="text-soft">anonymous</span>;
  const name =
    actor === 'local' || actor === 'davit' ? (
      actor
    ) : (
      <Link to={paths.user({ user: actor })} className="text-accent hover:underline">
        {actor}
      </Link>
    );
  return (
    <span className="flex flex-col">
      {name}
      {keyName !== undefined && <span className="text-xs break-words text-soft">key {keyName}</span>}
    </span>
  );
}

function Target({ row: { operation, target } }: { row: AuditEvent }) {
  const page = pageOfTarget(operation, target);
  const words = <Mono text={target} />;
  if (target === '') return null;
  if (page === null) return words;
  const [to, query] = page.split('?');
  const search = Object.fromEntries(new URLSearchParams(query)) as never;
  return (
    <Link to={to ?? page} search={search} className="text-accent hover:underline">
      {words}
    </Link>
  );
}

function Mono({ text }: { text: string }) {
  return (
    <span className="font-mono text-[0.8125rem]">
      <Wrapping text={text} />
    </span>
  );
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  { name: 'User', wideOnly: true, cell: ({ actor, key }) => <Who actor={actor} keyName={key?.name} /> },
  { name: 'Action', cell: (row) => <What row={row} /> },
  { name: 'Target', wideOnly: true, cell: (row) => <Target row={row} /> },
  { name: 'Source', wideOnly: true, cell: ({ via }) => via },
  {
    name: 'IP address',
    wideOnly: true,
    cell: ({ ip }) => ip && <Mono text={ip} />,
  },
  {
    name: 'Outcome',
    wideOnly: true,
    cell: ({ outcome, status }) => (
      <span className="whitespace-nowrap">
        <span className={TONES[outcome]}>{outcome}</span> <span className="text-xs text-soft">{status}</span>
      </span>
    ),
  },
];

/**
 * Renders the operation of an audit log entry. On narrow screens, the cell also contains the target, the actor and the
 * result.
 */
function What({ row }: { row: AuditEvent }) {
  return (
    <>
      <span title={row.operation}>
        {operationInWords(row.operation)}
        {row.times > 1 && <span className="ml-1 text-xs text-soft">× {row.times}</span>}
      </span>
      <div className="md:hidden">
        <Target row={row} />
        <p className="text-xs text-soft">
          {row.actor ?? 'anonymous'}, {row.via}, <span className={TONES[row.outcome]}>{row.outcome}</span>
        </p>
      </div>
    </>
  );
}

export function AuditRows({ events, empty }: { events: readonly AuditEvent[]; empty: ReactNode }) {
  return <Table label="Audit log" columns={COLUMNS} rows={events} keyOf={({ id }) => id} empty={empty} />;
}
