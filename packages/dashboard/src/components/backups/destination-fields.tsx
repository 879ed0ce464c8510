import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { FieldError, SelectField, TextField } from '../../ui/field.tsx';
import { errorWithin } from '../../util/field-error.ts';
import { TwoColumns } from '../app-settings/fields.tsx';
import type { BackupDraft } from './schedule-draft.ts';

/**
 * Renders the form fields for the storage location of backups. Backups are stored on the server's disk or in an object
 * store.
 * @param project project of the database; the server refuses object stores of other projects
 */
export function DestinationFields({
  draft,
  project,
  error,
  onChange,
}: {
  draft: BackupDraft;
  project: string;
  error: Error | null;
  onChange: (part: Partial<BackupDraft>) => void;
}) {
  const { data: stores = [] } = useQuery(query('listObjectStores'));
  const own = stores.filter((store) => store.project === null || store.project === project);
  const names = [...new Set([...(draft.store === '' ? [] : [draft.store]), ...own.map(({ name }) => name)])];
  return (
    <>
      <SelectField
        label="Destination"
        options={[{ value: '', label: 'This server' }, ...names.map((name) => ({ value: name, label: name }))]}
        value={draft.store}
        onChange={(store) => onChange({ store })}
        hint={
          draft.store === ''
            ? 'If the server is lost, these backups are lost too. Use an external object store to prevent this.'
            : undefined
        }
      />
      {draft.store !== '' && (
        <TwoColumns>
          <TextField
            label="Bucket"
            mono
            autoCapitalize="none"
            value={draft.bucket}
            onChange={({ target }) => onChange({ bucket: target.value })}
          />
          <TextField
            label="Key prefix"
            note="optional"
            mono
            placeholder="backups/"
            value={draft.prefix}
            onChange={({ target }) => onChange({ prefix: target.value })}
          />
        </TwoColumns>
      )}
      <FieldError error={errorWithin(error, 'destination')} />
    </>
  );
}
