import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Commands } from '../../ui/copy.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { errorFor } from '../../util/field-error.ts';
import { uploadCommand } from './object-path.ts';
import { useStoreOfPage } from './use-store.ts';

/**
 * Renders a `curl` command that uploads a file with a presigned URL. The dashboard cannot upload the file, because the
 * content security policy and most object stores prevent this.
 */
export function Upload({ bucket, prefix, onClose }: { bucket: string; prefix: string; onClose: () => void }) {
  const { params } = useStoreOfPage();
  const [key, setKey] = useState(prefix);
  const presign = useCall('presignObject', { changes: [] });
  const made = presign.data;
  const file = key.slice(key.lastIndexOf('/') + 1);
  const isFolder = file === '' ? 'Add a file name to the key. A key that ends with “/” is a folder.' : null;
  return (
    <FormDialog
      wide
      title={`Upload to ${bucket}`}
      description="You upload the file directly to the store, with a presigned URL that is valid for 15 minutes."
      action={made ? 'Create another URL' : 'Create URL'}
      busy={presign.isPending}
      disabledBecause={isFolder}
      error={presign.error}
      fields={['key']}
      noValidate
      onSubmit={() => presign.mutate({ params: { ...params, bucket }, body: { key, method: 'PUT' } })}
      onClose={onClose}
    >
      <TextField
        label="Key"
        mono
        autoFocus
        autoCapitalize="none"
        hint="Name of the object in the bucket, with its folders, such as pictures/ship.jpg."
        value={key}
        onChange={({ target }) => {
          setKey(target.value);
          presign.reset();
        }}
        error={errorFor(presign.error, 'key')}
      />
      {made && (
        <div className="flex flex-col gap-2 text-sm">
          <p>
            Run this command in the folder of the file before <Time at={made.expires_at} />:
          </p>
          <Commands secret lines={[uploadCommand(made.url, file)]} />
          <p className="text-xs text-soft">Until the URL expires, everyone who has the URL can upload this file.</p>
        </div>
      )}
    </FormDialog>
  );
}
