import type { Certificate } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { PickFile } from '../../ui/pick-file.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { type PemParts, partsOfPem } from './pem.ts';

const FIELDS = ['certificate', 'key'] as const;
const NONE: PemParts = { certificate: '', key: '' };

/**
 * Renders the form that uploads a TLS certificate from files or pasted PEM text. The server checks that the
 * certificate and the private key match.
 */
export function Upload({ replaced, onClose }: { replaced?: Certificate; onClose: () => void }) {
  const [pem, setPem] = useState(NONE);
  const onDone = ({ hosts }: Certificate) => {
    say(`Saved the certificate of ${hosts.join(', ')}.`);
    onClose();
  };
  const changes = ['listCertificates'] as const;
  const upload = useCall('uploadCertificate', { changes, onDone });
  const replace = useCall('replaceCertificate', { changes, onDone });
  const { isPending, error, reset } = replaced ? replace : upload;
  const missing =
    pem.certificate.trim() === '' || pem.key.trim() === '' ? 'Enter the certificate and the private key first.' : null;
  const submit = () => {
    if (replaced) replace.mutate({ params: { certificate: String(replaced.id) }, body: pem });
    else upload.mutate({ body: pem });
  };
  const add = (text: string) => {
    const { certificate, key } = partsOfPem(text);
    setPem((before) => ({ certificate: certificate || before.certificate, key: key || before.key }));
  };
  return (
    <FormDialog
      wide
      title={replaced ? `Replace the certificate of ${replaced.hosts[0] ?? replaced.id}` : 'Upload certificate'}
      description="Davit uses this certificate immediately for all domains that the certificate covers. An uploaded certificate takes precedence over automatic certificates. Open connections are not closed."
      action={replaced ? 'Replace certificate' : 'Upload certificate'}
      busy={isPending}
      disabledBecause={missing}
      error={error}
      onEdit={reset}
      fields={FIELDS}
      onSubmit={submit}
      onClose={onClose}
    >
      <PickFile
        several
        accept=".pem,.crt,.cer,.key,.txt"
        beside="Choose one file with the certificate and the private key, or two files. You can also paste the text."
        onText={add}
      />
      <TextArea
        label="Certificate"
        hint="PEM format, with the certificate and its intermediate certificates in any order."
        mono
        value={pem.certificate}
        placeholder="-----BEGIN CERTIFICATE-----"
        onChange={(event) => setPem({ ...pem, certificate: event.target.value })}
        error={errorFor(error, 'certificate')}
      />
      <TextArea
        label="Private key"
        hint="PEM format, without a passphrase. The key is stored encrypted and never shown again."
        mono
        autoComplete="off"
        value={pem.key}
        placeholder="-----BEGIN PRIVATE KEY-----"
        onChange={(event) => setPem({ ...pem, key: event.target.value })}
        error={errorFor(error, 'key')}
      />
    </FormDialog>
  );
}
