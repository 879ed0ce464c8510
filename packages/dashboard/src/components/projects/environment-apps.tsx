import type { App } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { query, useAnswer } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useSearchText } from '../../util/params.ts';
import { addressOf, servingOf } from '../apps/app-facts.ts';
import { inOrder, matching } from '../overview/app-order.ts';

/** If an environment has more apps than this number, the list of apps has a search field. */
const FEW = 8;

const COLUMNS: readonly Column<App>[] = [
  { name: 'App', cell: (app) => <Name app={app} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Live', cell: (app) => <Live app={app} /> },
  {
    name: 'Replicas',
    wideOnly: true,
    cell: (app) => (app.live_deployment === null ? '—' : `${servingOf(app)} of ${app.scale}`),
  },
  { name: 'Address', wideOnly: true, cell: (app) => <Address app={app} /> },
  { name: 'Deploy', hideName: true, end: true, cell: (app) => <Deploy app={app} /> },
];

export function EnvironmentApps({ apps }: { apps: readonly App[] }) {
  const [text, setText] = useSearchText('filter');
  const shown = inOrder(matching(apps, text ?? ''), 'worst');
  return (
    <Card
      title="Apps"
      actions={apps.length > FEW && <FilterField label="Filter apps" text={text} onChange={setText} />}
    >
      <Table
        label="Apps"
        columns={COLUMNS}
        rows={shown}
        keyOf={({ reference }) => reference}
        empty={<p className="py-6 text-center text-sm text-soft">No app with “{text}” in the name, status or tag.</p>}
      />
    </Card>
  );
}

function Name({ app }: { app: App }) {
  return (
    <Link
      to={paths.app(appPath(app.reference))}
      className="font-medium wrap-anywhere text-accent underline-offset-2 hover:underline"
    >
      {app.name}
    </Link>
  );
}

function Live({ app }: { app: App }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="font-mono text-xs">{app.live_tag ?? '—'}</span>
      {app.pending_changes && <span className="text-xs text-warning">undeployed changes</span>}
    </span>
  );
}

function Address({ app }: { app: App }) {
  const certificates = useQuery(query('listCertificates')).data ?? [];
  const address = addressOf(app, useAnswer('getInstance'), certificates);
  if (address === null) return <span className="text-soft">worker</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="inline-flex max-w-72 items-center xl:max-w-md gap-1 text-accent underline-offset-2 hover:underline"
    >
      <span className="truncate">{address.replace(/^https?:\/\/|\/$/g, '')}</span>
      <ExternalLink className="size-3.5 shrink-0" aria-label="opens in a new tab" />
    </a>
  );
}

function Deploy({ app }: { app: App }) {
  const forbidden = useForbidden('operate');
  const name = <span className="sr-only">{app.name}</span>;
  if (forbidden !== null) return <Button disabledBecause={forbidden}>Deploy… {name}</Button>;
  return (
    <ButtonLink to={paths.app(appPath(app.reference))} search={{ deploy: '1' } as never}>
      Deploy… {name}
    </ButtonLink>
  );
}
