import type { StoreProvider } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { Beside } from '../app-settings/fields.tsx';
import { type LinkDraft, shows } from './link-draft.ts';

interface Props {
  draft: LinkDraft;
  error: Error | null;
  onChange: (part: Partial<LinkDraft>) => void;
}

/** Where it is: what its provider asks for, and what it takes. */
export function PlaceFields({ provider, draft, error, onChange }: Props & { provider: StoreProvider }) {
  const optional = (field: 'endpoint' | 'region') => (provider.asks.includes(field) ? undefined : 'optional');
  return (
    <>
      <Beside>
        {shows(provider, 'endpoint') && (
          <TextField
            label="Endpoint"
            note={optional('endpoint')}
            mono
            autoCapitalize="none"
            placeholder={provider.endpoint ?? 'https://s3.example.com'}
            value={draft.endpoint}
            onChange={({ target }) => onChange({ endpoint: target.value })}
            error={errorFor(error, 'endpoint')}
          />
        )}
        {shows(provider, 'region') && (
          <TextField
            label="Region"
            note={optional('region')}
            mono
            autoCapitalize="none"
            placeholder={provider.regions[0] ?? ''}
            hint={provider.regions.length > 0 && `Such as ${provider.regions.slice(0, 3).join(', ')}.`}
            value={draft.region}
            onChange={({ target }) => onChange({ region: target.value })}
            error={errorFor(error, 'region')}
          />
        )}
        {shows(provider, 'account') && (
          <TextField
            label="Account"
            mono
            autoCapitalize="none"
            hint="The account’s ID: 32 hexadecimal digits."
            value={draft.account}
            onChange={({ target }) => onChange({ account: target.value.trim() })}
            error={errorFor(error, 'account')}
          />
        )}
      </Beside>
      <Scope draft={draft} error={error} onChange={onChange} />
      {shows(provider, 'path_style') && (
        <CheckField
          label="Buckets stand in the path instead of the host name"
          checked={draft.pathStyle ?? true}
          onChange={({ target }) => onChange({ pathStyle: target.checked })}
        />
      )}
    </>
  );
}

/** For whom it is, and for which bucket. */
function Scope({ draft, error, onChange }: Props) {
  const { data: projects = [] } = useQuery(query('listProjects'));
  return (
    <Beside>
      <SelectField
        label="For"
        options={[
          { value: '', label: 'Every project' },
          ...projects.map(({ slug }) => ({ value: slug, label: `${slug} alone` })),
        ]}
        value={draft.project}
        onChange={(project) => onChange({ project })}
        error={errorFor(error, 'project')}
      />
      <TextField
        label="Bucket"
        note="optional"
        mono
        autoCapitalize="none"
        hint="For keys that are for one bucket alone."
        value={draft.bucket}
        onChange={({ target }) => onChange({ bucket: target.value })}
        error={errorFor(error, 'bucket')}
      />
    </Beside>
  );
}

export function KeyFields({ draft, error, onChange }: Props) {
  return (
    <Beside>
      <TextField
        label="Access key"
        mono
        autoCapitalize="none"
        value={draft.accessKey}
        onChange={({ target }) => onChange({ accessKey: target.value.trim() })}
        error={errorFor(error, 'access_key')}
      />
      <TextField
        label="Secret key"
        type="password"
        mono
        autoComplete="new-password"
        value={draft.secretKey}
        onChange={({ target }) => onChange({ secretKey: target.value.trim() })}
        error={errorFor(error, 'secret_key')}
      />
    </Beside>
  );
}
