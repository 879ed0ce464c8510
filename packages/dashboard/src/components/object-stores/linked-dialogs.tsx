import { useState } from 'react';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { connectionPatch, newConnection } from './link-draft.ts';
import { EndpointField, KeyFields, OneBucketField, PublicEndpointField, RegionField } from './link-fields.tsx';
import { useStoreOfPage } from './use-store.ts';

interface Props {
  onClose: () => void;
}

function useChange(said: string, onClose: () => void) {
  return useCall('patchObjectStore', {
    changes: ['getObjectStore', 'listObjectStores', 'getObjectStoreCredentials'],
    onDone: () => {
      say(said);
      onClose();
    },
  });
}

export function MoveStore({ onClose }: Props) {
  const { store, params } = useStoreOfPage();
  const [draft, setDraft] = useState(() => newConnection(store));
  const change = useChange(`Changed the endpoint of ${store.name}.`, onClose);
  const patch = connectionPatch(store, draft);
  const fields = { draft, error: change.error, onChange: (part: object) => setDraft({ ...draft, ...part }) };
  return (
    <FormDialog
      wide
      title={`Change the endpoint of ${store.name}`}
      description="Davit tests the access keys with the new endpoint before it saves the change. Attached apps get the new endpoint with their next deployment."
      action="Check and change endpoint"
      busy={change.isPending}
      disabledBecause={patch === null ? 'There are no changes to save.' : null}
      error={change.error}
      fields={['endpoint', 'region', 'public_endpoint', 'bucket']}
      noValidate
      onSubmit={() => patch && change.mutate({ params, body: patch })}
      onClose={onClose}
    >
      <EndpointField {...fields} />
      <RegionField {...fields} />
      <PublicEndpointField {...fields} />
      <OneBucketField {...fields} />
      <CheckField
        label="Put the bucket name in the URL path instead of the host name"
        checked={draft.pathStyle}
        onChange={({ target }) => setDraft({ ...draft, pathStyle: target.checked })}
      />
    </FormDialog>
  );
}

export function ReplaceKeys({ onClose }: Props) {
  const { store, params } = useStoreOfPage();
  const [keys, setKeys] = useState({ accessKey: '', secretKey: '' });
  const change = useChange(`Replaced the keys of ${store.name}.`, onClose);
  const { accessKey, secretKey } = keys;
  return (
    <FormDialog
      title={`Replace the keys of ${store.name}`}
      description="Davit tests the new access keys before it saves them."
      action="Check and replace keys"
      busy={change.isPending}
      disabledBecause={accessKey === '' || secretKey === '' ? 'Enter both keys first.' : null}
      error={change.error}
      fields={['access_key', 'secret_key']}
      onSubmit={() => change.mutate({ params, body: { access_key: accessKey, secret_key: secretKey } })}
      onClose={onClose}
    >
      <KeyFields draft={keys} error={change.error} onChange={(part) => setKeys({ ...keys, ...part })} />
    </FormDialog>
  );
}
