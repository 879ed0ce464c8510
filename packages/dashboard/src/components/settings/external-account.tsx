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

/** Shows the external account of the certificate authority, for authorities that require one. */
export function ExternalAccount({ readOnly }: { readOnly: string | null }) {
  const { name, account, external_account: bound } = useAnswer('getAuthority');
  const [open, setOpen] = useSearchText('account');
  const close = () => setOpen(null);
  return (
    <Card
      title="External account"
      description="Some authorities give certificates only to who has an account with them; Let’s Encrypt does not ask for one."
      actions={
        <span className="flex gap-2">
          {bound !== null && (
            <Button disabledBecause={readOnly} onClick={() => setOpen('unbind')}>
              Unbind…
            </Button>
          )}
          <Button disabledBecause={readOnly} onClick={() => setOpen('bind')}>
            {bound === null ? 'Bind…' : 'Bind another…'}
          </Button>
        </span>
      }
    >
      <Facts
        rows={[
          ['Authority', name],
          ['Bound to', <Id key="bound" text={bound} none="none" />],
          ['Our account', <Id key="account" text={account} none="none yet" />],
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
      say('The account is bound.');
      onClose();
    },
  });
  const missing = kid === '' || key === '' ? 'Fill in both first.' : null;
  return (
    <FormDialog
      title="Bind an external account"
      description={`Both are on your account’s page at ${authority}. The key is kept sealed and never shown again.`}
      action="Bind the account"
      busy={bind.isPending}
      disabledBecause={missing}
      error={bind.error}
      fields={FIELDS}
      onSubmit={() => bind.mutate({ body: { kid: kid.trim(), hmac_key: key.trim() } })}
      onClose={onClose}
    >
      <TextField
        label="Key id"
        mono
        value={kid}
        onChange={(event) => setKid(event.target.value)}
        error={errorFor(bind.error, 'kid')}
      />
      <TextField
        label="HMAC key"
        type="password"
        hint="In base64url, as the authority gave it."
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
      say('The account is unbound.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Unbind the external account?"
      action="Unbind the account"
      typed={bound}
      busy={unbind.isPending}
      error={unbind.error}
      onConfirm={() => unbind.mutate({})}
    >
      <p>An account that was made with it stays; a new one at this authority would have to be bound again.</p>
    </ConfirmDialog>
  );
}
