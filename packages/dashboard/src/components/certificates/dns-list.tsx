import type { DnsProvider } from '@davit/api';
import { Plus } from 'lucide-react';
import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { Wrapping } from '../../ui/wrapping.tsx';
import { useSearchText } from '../../util/params.ts';
import { IfMay } from '../admin/if-may.tsx';
import { useNotForAll } from '../admin/not-for-all.ts';
import { DnsForm } from './dns-form.tsx';
import { providerName } from './dns-programs.ts';

const COLUMNS: readonly Column<DnsProvider>[] = [
  {
    name: 'Name',
    cell: ({ name, provider }) => (
      <>
        <span className="font-medium">{name}</span>
        <p className="text-xs text-soft">{providerName(provider)}</p>
      </>
    ),
  },
  {
    name: 'Domains',
    cell: ({ domains }) => <Wrapping text={domains.join(', ')} />,
  },
  {
    name: 'Credentials',
    wideOnly: true,
    cell: ({ variables }) => <span className="font-mono text-xs break-words">{variables.join(', ')}</span>,
  },
];

/**
 * Lists the DNS providers. ACME needs a DNS provider for wildcard certificates and for hosts that the internet cannot
 * reach.
 */
export function DnsProviders() {
  const providers = useAnswer('listDnsProviders');
  const forbidden = useNotForAll('change settings that affect all projects');
  const [open, setOpen] = useSearchText('provider');
  const [removed, setRemoved] = useSearchText('remove');
  const edited = providers.find(({ id }) => String(id) === open);
  const removing = providers.find(({ id }) => String(id) === removed);
  const columns = [
    ...COLUMNS,
    {
      name: 'Actions',
      hideName: true,
      end: true,
      cell: ({ id, name }: DnsProvider) => (
        <span className="inline-flex gap-1">
          <Button
            kind="quiet"
            aria-label={`Edit ${name}`}
            disabledBecause={forbidden}
            onClick={() => setOpen(String(id))}
          >
            Edit…
          </Button>
          <Button
            kind="quiet"
            aria-label={`Remove ${name}`}
            disabledBecause={forbidden}
            onClick={() => setRemoved(String(id))}
          >
            Remove…
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Card
      title="DNS providers"
      description="Davit uses these accounts at DNS providers to create the DNS records that certificates require."
      actions={
        <Button kind="primary" disabledBecause={forbidden} onClick={() => setOpen('new')}>
          <Plus className="size-4" aria-hidden /> Add provider
        </Button>
      }
    >
      <Table label="DNS providers" columns={columns} rows={providers} keyOf={({ id }) => id} empty={<None />} />
      {open === 'new' && forbidden === null && <DnsForm onClose={() => setOpen(null)} />}
      {edited && forbidden === null && <DnsForm key={edited.id} edited={edited} onClose={() => setOpen(null)} />}
      {removing && forbidden === null && <Remove provider={removing} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function Remove({ provider: { id, name, domains }, onClose }: { provider: DnsProvider; onClose: () => void }) {
  const remove = useCall('removeDnsProvider', {
    changes: ['listDnsProviders', 'listCertificates'],
    onDone: () => {
      say(`Removed ${name}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove DNS provider ${name}?`}
      action="Remove provider"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { provider: String(id) } })}
    >
      <p>
        Certificates for {domains.join(', ')} and their subdomains are then validated over HTTP. Wildcard certificates
        can no longer be renewed. Existing certificates stay in use until they expire.
      </p>
    </ConfirmDialog>
  );
}

function None() {
  return (
    <Empty title="No DNS providers">
      <p>
        Without a DNS provider, names are validated over HTTP on port 80, and wildcard certificates are not possible.
        With a provider for the domain of the instance, each environment gets a wildcard certificate.
      </p>
      <IfMay permission="administer" what="add a provider">
        <Commands lines={['davit dns-provider add main cloudflare CF_DNS_API_TOKEN -d example.com']} />
      </IfMay>
    </Empty>
  );
}
