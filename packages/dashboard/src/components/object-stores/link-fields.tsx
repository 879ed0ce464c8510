import type { ObjectStoreProvider } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { query } from '../../api.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { TwoColumns } from '../app-settings/fields.tsx';
import { type LinkDraft, shows } from './link-draft.ts';

/**
 * Props of all groups of form fields for a linked object store. The props are the form values, the error of the last
 * request, and a change callback.
 */
interface Of<K extends keyof LinkDraft> {
  draft: Pick<LinkDraft, K>;
  error: Error | null;
  onChange: (part: Partial<Pick<LinkDraft, K>>) => void;
}

interface Words {
  note?: string | undefined;
  placeholder?: string;
  hint?: ReactNode;
}

export function EndpointField({ draft, error, onChange, ...words }: Of<'endpoint'> & Words) {
  return (
    <TextField
      label="Endpoint"
      mono
      autoCapitalize="none"
      placeholder="https://s3.example.com"
      {...words}
      value={draft.endpoint}
      onChange={({ target }) => onChange({ endpoint: target.value })}
      error={errorFor(error, 'endpoint')}
    />
  );
}

export function RegionField({ draft, error, onChange, ...words }: Of<'region'> & Words) {
  return (
    <TextField
      label="Region"
      mono
      autoCapitalize="none"
      {...words}
      value={draft.region}
      onChange={({ target }) => onChange({ region: target.value })}
      error={errorFor(error, 'region')}
    />
  );
}

export function PublicEndpointField({ draft, error, onChange }: Of<'publicEndpoint'>) {
  return (
    <TextField
      label="Public endpoint"
      note="optional"
      mono
      autoCapitalize="none"
      placeholder="https://files.example.com"
      hint="URL of the object store for browsers, if browsers cannot connect to the endpoint above. Presigned URLs use this URL."
      value={draft.publicEndpoint}
      onChange={({ target }) => onChange({ publicEndpoint: target.value })}
      error={errorFor(error, 'public_endpoint')}
    />
  );
}

export function OneBucketField({ draft, error, onChange }: Of<'bucket'>) {
  return (
    <TextField
      label="Bucket"
      note="optional"
      mono
      autoCapitalize="none"
      hint="Enter the name of a bucket if the access key is only valid for one bucket."
      value={draft.bucket}
      onChange={({ target }) => onChange({ bucket: target.value })}
      error={errorFor(error, 'bucket')}
    />
  );
}

export function KeyFields({ draft, error, onChange }: Of<'accessKey' | 'secretKey'>) {
  return (
    <TwoColumns>
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
    </TwoColumns>
  );
}

/** Renders the fields for endpoint, region and similar settings that the selected object store provider uses. */
export function ConnectionFields({ provider, ...of }: Of<keyof LinkDraft> & { provider: ObjectStoreProvider }) {
  const { draft, error, onChange } = of;
  const note = (field: 'endpoint' | 'region') => (provider.asks.includes(field) ? undefined : 'optional');
  return (
    <>
      <TwoColumns>
        {shows(provider, 'endpoint') && (
          <EndpointField
            {...of}
            note={note('endpoint')}
            {...(provider.endpoint && { placeholder: provider.endpoint })}
          />
        )}
        {shows(provider, 'region') && (
          <RegionField
            {...of}
            note={note('region')}
            placeholder={provider.regions[0] ?? ''}
            hint={provider.regions.length > 0 && `A region such as ${provider.regions.slice(0, 3).join(', ')}.`}
          />
        )}
        {shows(provider, 'account') && (
          <TextField
            label="Account"
            mono
            autoCapitalize="none"
            hint="ID of your account at the provider: 32 hexadecimal digits."
            value={draft.account}
            onChange={({ target }) => onChange({ account: target.value.trim() })}
            error={errorFor(error, 'account')}
          />
        )}
      </TwoColumns>
      <PublicEndpointField {...of} />
      <TwoColumns>
        <ForProject {...of} />
        <OneBucketField {...of} />
      </TwoColumns>
      {shows(provider, 'path_style') && (
        <CheckField
          label="Put the bucket name in the URL path instead of the host name"
          checked={draft.pathStyle ?? true}
          onChange={({ target }) => onChange({ pathStyle: target.checked })}
        />
      )}
    </>
  );
}

function ForProject({ draft, error, onChange }: Of<'project'>) {
  const { data: projects = [] } = useQuery(query('listProjects'));
  return (
    <SelectField
      label="Projects"
      options={[
        { value: '', label: 'All projects' },
        ...projects.map(({ slug }) => ({ value: slug, label: `Only ${slug}` })),
      ]}
      value={draft.project}
      onChange={(project) => onChange({ project })}
      error={errorFor(error, 'project')}
    />
  );
}
