import type { DavitError, DnsProvider } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { bodyOf, type DnsDraft, draftOf, variablesFor, whatIsMissing } from './dns-draft.ts';
import { KNOWN } from './dns-programs.ts';
import { DnsVariables } from './dns-variables.tsx';

const OTHER = 'other';
const PROVIDERS = [
  ...KNOWN.map(({ code, name }) => ({ value: code, label: name })),
  { value: OTHER, label: 'Other provider…' },
];
const FIELDS = ['name', 'provider', 'credentials', 'domains'] as const;

export function DnsForm({ edited, onClose }: { edited?: DnsProvider; onClose: () => void }) {
  const [draft, setDraft] = useState<DnsDraft>(() => draftOf(edited));
  const [unchecked, setUnchecked] = useState(false);
  const { save, busy, error, reset } = useSave(edited, onClose);
  const missing = whatIsMissing(draft);
  const set = (part: Partial<DnsDraft>) => setDraft({ ...draft, ...part });
  return (
    <FormDialog
      wide
      title={edited ? `DNS provider ${edited.name}` : 'Add DNS provider'}
      description="Davit uses these credentials to create the DNS records that prove control of a domain, and removes the records afterwards."
      action={edited ? 'Save provider' : 'Add provider'}
      busy={busy}
      disabledBecause={missing}
      error={error}
      onEdit={reset}
      fields={FIELDS}
      onSubmit={() => save(draft, unchecked)}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <ProviderField draft={draft} error={errorFor(error, 'provider')} onChange={set} />
        <TextField
          label="Name"
          hint="Name that Davit shows for this DNS provider."
          autoFocus
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
          error={errorFor(error, 'name')}
        />
      </div>
      <TextArea
        label="Domains"
        hint="Domains that the DNS provider manages, one per line. Certificates for these domains and their subdomains are validated over DNS."
        mono
        rows={2}
        placeholder="example.com"
        value={draft.domains}
        onChange={(event) => set({ domains: event.target.value })}
        error={errorFor(error, 'domains')}
      />
      {draft.variables === null ? (
        <Stored names={edited?.variables ?? []} onReplace={() => set({ variables: variablesFor(draft.provider) })} />
      ) : (
        <DnsVariables
          variables={draft.variables}
          error={errorFor(error, 'credentials')}
          onChange={(variables) => set({ variables })}
        />
      )}
      <CheckField
        label="Wait until the DNS servers of the domain return the new record"
        hint="Turn this option off if this server cannot connect to the DNS servers of the domain."
        checked={draft.checks}
        onChange={(event) => set({ checks: event.target.checked })}
      />
      <Unchecked error={error} checked={unchecked} onChange={setUnchecked} />
    </FormDialog>
  );
}

/**
 * Renders a check box that skips the check whether the DNS client `lego` supports the provider. The check box is shown
 * only after the error `check_failed`.
 */
function Unchecked({
  error,
  checked,
  onChange,
}: {
  error: DavitError | null;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  if (error?.code !== 'check_failed') return null;
  return (
    <CheckField
      label="Save without a check of the provider name"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

function useSave(edited: DnsProvider | undefined, onClose: () => void) {
  const changes = ['listDnsProviders', 'listCertificates', 'getAuthority'] as const;
  const onDone = ({ name }: DnsProvider) => {
    say(`Saved ${name}.`);
    onClose();
  };
  const add = useCall('addDnsProvider', { changes, onDone });
  const change = useCall('patchDnsProvider', { changes, onDone });
  const save = (draft: DnsDraft, unchecked: boolean) => {
    const { credentials, ...body } = bodyOf(draft);
    const query = unchecked ? { query: { check: 'false' as const } } : {};
    if (edited) {
      change.mutate({
        params: { provider: String(edited.id) },
        body: { ...body, ...(credentials && { credentials }) },
        ...query,
      });
    } else add.mutate({ body: { ...body, credentials: credentials ?? {} }, ...query });
  };
  const { isPending: busy, error, reset } = edited ? change : add;
  return { save, busy, error, reset };
}

function ProviderField({
  draft,
  error,
  onChange,
}: {
  draft: DnsDraft;
  error: string | null;
  onChange: (part: Partial<DnsDraft>) => void;
}) {
  const isKnown = KNOWN.some(({ code }) => code === draft.provider);
  const choose = (value: string) => {
    const provider = value === OTHER ? '' : value;
    onChange({ provider, ...(draft.variables !== null && { variables: variablesFor(provider) }) });
  };
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label="Provider"
        options={PROVIDERS}
        value={isKnown ? draft.provider : OTHER}
        onChange={choose}
        error={isKnown ? error : null}
      />
      {!isKnown && (
        <TextField
          label="Provider name in lego"
          hint="Davit connects to DNS providers with the library “lego”. Enter the name that the documentation of lego uses for the provider, such as “hetzner”."
          mono
          value={draft.provider}
          onChange={(event) => onChange({ provider: event.target.value })}
          error={error}
        />
      )}
    </div>
  );
}

function Stored({ names, onReplace }: { names: readonly string[]; onReplace: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <div className="min-w-0">
        <p className="font-medium">Credentials</p>
        <p className="font-mono text-xs break-all text-soft">{names.join(', ')}</p>
      </div>
      <Button onClick={onReplace}>Replace credentials…</Button>
    </div>
  );
}
