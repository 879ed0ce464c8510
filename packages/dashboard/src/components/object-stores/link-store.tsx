import type { ObjectStoreProvider } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { errorFor } from '../../util/field-error.ts';
import { slugProblem } from '../../util/slug.ts';
import { nameProblem } from '../projects/created-problem.ts';
import { NameField } from '../projects/name-field.tsx';
import { type LinkDraft, linkBody, missingInLink, newLink } from './link-draft.ts';
import { ConnectionFields, KeyFields } from './link-fields.tsx';

const FIELDS = [
  'name',
  'provider',
  'project',
  'endpoint',
  'region',
  'account',
  'path_style',
  'public_endpoint',
  'bucket',
  'access_key',
  'secret_key',
] as const;

/** Renders the form that links an external object store. The server tests the access key before it stores the key. */
export function LinkStore({ onClose }: { onClose: () => void }) {
  const providers = useQuery(query('listObjectStoreProviders'));
  const [draft, setDraft] = useState<LinkDraft>(() => newLink('aws'));
  const [unchecked, setUnchecked] = useState(false);
  const navigate = useNavigate();
  const link = useCall('linkObjectStore', {
    changes: ['listObjectStores'],
    onDone: ({ name }) => void navigate({ to: paths.objectStore({ object_store: name }) }),
  });
  const provider = providers.data?.find((one) => one.provider === draft.provider);
  const set = (part: Partial<LinkDraft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = () => {
    if (provider === undefined) return;
    const query = unchecked ? { query: { check: 'false' as const } } : {};
    link.mutate({ body: linkBody(draft, provider), ...query });
  };
  const taken = nameProblem(link.error, 'name');
  const missing =
    provider === undefined ? 'Wait until the list of providers is loaded.' : missingInLink(draft, provider);
  return (
    <FormDialog
      wide
      title="Link object store"
      description="Link an S3-compatible object store. Davit first checks the keys, then stores them encrypted."
      action={unchecked ? 'Link store without check' : 'Check and link store'}
      busy={link.isPending}
      disabledBecause={slugProblem(draft.name) ?? missing}
      error={link.error}
      onEdit={link.reset}
      isErrorShown={taken !== null}
      fields={FIELDS}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      {providers.error && <Problem error={providers.error} />}
      {providers.isLoading && <Spinner label="Loading the providers" />}
      <NameField name={draft.name} onChange={(name) => set({ name })} refused={taken} />
      {provider && (
        <>
          <Provider providers={providers.data ?? []} provider={provider} error={link.error} onChange={set} />
          <ConnectionFields provider={provider} draft={draft} error={link.error} onChange={set} />
          <KeyFields draft={draft} error={link.error} onChange={set} />
        </>
      )}
      {link.error !== null && (
        <CheckField
          label="Link without a check"
          hint="Skips the connection test. Use this option if the object store is temporarily unavailable."
          checked={unchecked}
          onChange={({ target }) => setUnchecked(target.checked)}
        />
      )}
    </FormDialog>
  );
}

function Provider({
  providers,
  provider,
  error,
  onChange,
}: {
  providers: readonly ObjectStoreProvider[];
  provider: ObjectStoreProvider;
  error: Error | null;
  onChange: (part: Partial<LinkDraft>) => void;
}) {
  return (
    <SelectField
      label="Provider"
      options={providers.map((one) => ({ value: one.provider, label: one.label }))}
      value={provider.provider}
      onChange={(next) => onChange({ provider: next, endpoint: '', region: '', account: '', pathStyle: null })}
      hint={provider.hint}
      error={errorFor(error, 'provider')}
    />
  );
}
