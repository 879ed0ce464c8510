import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useSearchText } from '../../util/params.ts';

/**
 * Renders the card for external account binding (EAB). EAB connects Davit to the user's account at a certificate
 * authority. Some certificate authorities require EAB.
 */
export function ExternalAccount({ readOnly }: { readOnly: string | null }) {
  const { name, account, external_account: bound } = useAnswer('getAuthority');
  const [open, setOpen] = useSearchText('account');
  const close = () => setOpen(null);
  return (
    <Card
      title="External account"
      description="Some certificate authorities require external account binding (EAB): a connection to your account at the certificate authority. Let’s Encrypt does not require EAB."
      actions={
        <span className="flex flex-wrap gap-2">
          {bound !== null && (
            <Button disabledBecause={readOnly} onClick={() => setOpen('unbind')}>
              Disconnect…
            </Button>
          )}
          <Button disabledBecause={readOnly} onClick={() => setOpen('bind')}>
            {bound === null ? 'Connect account…' : 'Connect another account…'}
          </Button>
        </span>
      }
    >
      <Facts
        rows={[
          ['Certificate authority', name],
          ['External account', <Id key="bound" text={bound} none="none" />],
          ['ACME account', <Id key="account" text={account} none="none" />],
        ]}
      />
      {open === 'bind' && <Bind authority={name} onClose={close} />}
      {open === 'unbind' && bound !== null && <Unbind bound={bound} onClose={close} />}
    </Card>
  );
}

function Id({ text, none }: { text: string | null; none: string }) {
  return text === null ? <span className="text-soft">{none}</span> : <Copyable text={text} />;
}

const FIELDS = ['kid', 'hmac_key'] as const;

function Bind({ authority, onClose }: { authority: string; onClose: () => void }) {
  const [kid, setKid] = useState('');
  const [key, setKey] = useState('');
  const bind = useCall('bindExternalAccount', {
    changes: ['getAuthority'],
    onDone: () => {
      say('Connected your certificate authority account.');
      onClose();
    },
  });
  const missing = kid === '' || key === '' ? 'Enter the key ID and the HMAC key first.' : null;
  return (
    <FormDialog
      title="Connect external account"
      description={`You find both keys on your account page at ${authority}. The HMAC key is stored encrypted and never shown again.`}
      action="Connect account"
      busy={bind.isPending}
      disabledBecause={missing}
      error={bind.error}
      onEdit={bind.reset}
      fields={FIELDS}
      onSubmit={() => bind.mutate({ body: { kid: kid.trim(), hmac_key: key.trim() } })}
      onClose={onClose}
    >
      <TextField
        label="Key ID"
        mono
        value={kid}
        onChange={(event) => setKid(event.target.value)}
        error={errorFor(bind.error, 'kid')}
      />
      <TextField
        label="HMAC key"
        type="password"
        hint="HMAC key from the certificate authority, in base64url."
        value={key}
        onChange={(event) => setKey(event.target.value)}
        error={errorFor(bind.error, 'hmac_key')}
      />
    </FormDialog>
  );
}

function Unbind({ bound, onClose }: { bound: string; onClose: () => void }) {
  const unbind = useCall('unbindExternalAccount', {
    changes: ['getAuthority'],
    onDone: () => {
      say('Disconnected your certificate authority account.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Disconnect your certificate authority account?"
      action="Disconnect account"
      typed={bound}
      busy={unbind.isPending}
      error={unbind.error}
      onConfirm={() => unbind.mutate({})}
    >
      <p>
        Davit keeps the existing ACME account. If Davit needs a new ACME account, you must connect the external account
        again.
      </p>
    </ConfirmDialog>
  );
}
