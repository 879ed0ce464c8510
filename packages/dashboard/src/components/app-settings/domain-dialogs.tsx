import type { Domain } from '@davit/api';
import { Suspense, useState } from 'react';
import { matching, useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { createOf, draftOf, patchOf } from './domain-draft.ts';
import { DomainForm } from './domain-form.tsx';

const CHANGES = ['listDomains', 'getDomain', 'getApp'] as const;

/**
 * Renders the dialogs for the domains of an app. The query parameter `?new=1` opens the form for a new domain. The
 * query parameter `?domain=<id>` opens the form for an existing domain.
 */
export function DomainDialogs({ domains }: { domains: readonly Domain[] }) {
  const forbidden = useForbidden('operate');
  const [adding, setAdding] = useSearchText('new');
  const [edited, setEdited] = useSearchText('domain');
  const domain = domains.find(({ id }) => String(id) === edited);
  return (
    <>
      <Dialog
        open={adding !== null && forbidden === null}
        onOpenChange={() => setAdding(null)}
        wide
        title="Add domain"
        description="Create a DNS record that points to this server. Davit then requests a certificate automatically."
      >
        <AddDomain onClose={() => setAdding(null)} />
      </Dialog>
      <Dialog
        open={domain !== undefined && forbidden === null}
        onOpenChange={() => setEdited(null)}
        wide
        title={`Domain ${domain?.host ?? ''}`}
        description="Changes apply immediately to new requests."
      >
        <Suspense fallback={<Spinner label="Loading the domain" />}>
          {domain && <EditDomain id={domain.id} onClose={() => setEdited(null)} />}
        </Suspense>
      </Dialog>
    </>
  );
}

function AddDomain({ onClose }: { onClose: () => void }) {
  const params = useAppPath();
  const [draft, setDraft] = useState(() => draftOf(null));
  const add = useCall('addDomain', {
    changes: CHANGES,
    onDone: ({ host }) => {
      say(`Added ${host}.`);
      onClose();
    },
  });
  return (
    <DomainForm
      {...{ draft, setDraft, onClose }}
      isNew
      action="Add domain"
      busy={add.isPending}
      error={add.error}
      onEdit={add.reset}
      onSubmit={() => add.mutate({ params, body: createOf(draft) })}
    />
  );
}

function EditDomain({ id, onClose }: { id: number; onClose: () => void }) {
  const params = { ...useAppPath(), domain: String(id) };
  const domain = useAnswer('getDomain', { params });
  /*
   * Keep the values that the domain had when the form opened. The form saves only the fields that the user has changed
   * since then.
   */
  const [before] = useState(domain);
  const [draft, setDraft] = useState(() => draftOf(domain));
  const change = useCall('patchDomain', {
    changes: CHANGES,
    onDone: ({ host }) => {
      say(`Changed ${host}.`);
      onClose();
    },
  });
  const isOvertaken = change.error?.code === 'precondition_failed';
  return (
    <DomainForm
      {...{ draft, setDraft, onClose }}
      isNew={false}
      action={isOvertaken ? 'Overwrite' : 'Save'}
      busy={change.isPending}
      error={change.error}
      onEdit={change.reset}
      onSubmit={() => {
        change.mutate({ params, body: patchOf(draft, before), ...(isOvertaken ? {} : matching(before)) });
      }}
    />
  );
}
