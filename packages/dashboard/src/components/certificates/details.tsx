import { type Certificate, helpPath } from '@davit/api';
import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Actions, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchChange, useSearchText } from '../../util/params.ts';
import { useNotForAll } from '../admin/not-for-all.ts';
import { Advice } from './advice.tsx';
import { Upload } from './upload.tsx';

const ENDS = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });
const moment = (at: string) => ENDS.format(Date.parse(at));

/**
 * Shows a dialog for a TLS certificate. The URL contains the id of the certificate and the action. The dialog shows the
 * details, replaces the certificate, or removes the certificate.
 */
export function OpenedCertificate() {
  const certificates = useAnswer('listCertificates');
  const [number] = useSearchText('certificate');
  const [doing] = useSearchText('do');
  const change = useSearchChange();
  const certificate = certificates.find(({ id }) => String(id) === number);
  if (certificate === undefined) return null;
  const close = () => change({ certificate: null, do: null });
  if (doing === 'replace') return <Upload replaced={certificate} onClose={close} />;
  if (doing === 'remove') return <Remove certificate={certificate} onClose={close} />;
  return <Details certificate={certificate} onClose={close} onDo={(what) => change({ do: what })} />;
}

function Details({
  certificate,
  onClose,
  onDo,
}: {
  certificate: Certificate;
  onClose: () => void;
  onDo: (what: 'replace' | 'remove') => void;
}) {
  const {
    id,
    kind,
    hosts,
    issuer,
    serial,
    fingerprint,
    not_before,
    not_after,
    renews_at,
    problem,
    problem_code,
    used_by,
  } = certificate;
  const forbidden = useNotForAll('change settings that affect all projects');
  const renew = useCall('renewCertificate', {
    changes: ['listCertificates', 'getAuthority'],
    onDone: () =>
      say(
        'Davit is renewing the certificate. The current certificate stays in use until the new certificate is available.',
      ),
  });
  const isUsed = kind === 'acme' && renews_at !== null;
  const whyNotRemoved = isUsed
    ? 'Domains use this certificate, and Davit renews it automatically. Remove the domains before you remove the certificate.'
    : null;
  const whyNotRenewed = isUsed ? null : 'No domain uses this certificate, so it cannot be renewed.';
  return (
    <Dialog open wide onOpenChange={(open) => !open && onClose()} title={hosts[0] ?? `Certificate ${id}`}>
      <div className="flex flex-col gap-4">
        {problem && (
          <Notice tone="warning">
            <p>
              {problem}
              <HelpLink to={helpPath(problem_code)} />
            </p>
          </Notice>
        )}
        {problem && <Advice host={hosts[0] ?? ''} />}
        <Facts
          rows={[
            ['Number', <Copyable key="id" text={String(id)} />],
            ['Names', hosts.join(', ')],
            ['Issuer', issuer],
            ['Valid', `${moment(not_before)} to ${moment(not_after)}`],
            ['Renewal', renews_at === null ? 'not automatic' : moment(renews_at)],
            ['Used by', used_by.length === 0 ? 'nothing' : used_by.join(', ')],
            ['Serial', <Copyable key="serial" text={serial} />],
            ['Fingerprint', <Copyable key="fingerprint" text={fingerprint} />],
          ]}
        />
        {renew.error && <Problem error={renew.error} />}
      </div>
      <Actions>
        <Button disabledBecause={forbidden ?? whyNotRemoved} onClick={() => onDo('remove')}>
          Remove…
        </Button>
        {kind === 'custom' ? (
          <Button kind="primary" disabledBecause={forbidden} onClick={() => onDo('replace')}>
            Replace…
          </Button>
        ) : (
          <Button
            kind="primary"
            busy={renew.isPending}
            disabledBecause={forbidden ?? whyNotRenewed}
            onClick={() => renew.mutate({ params: { certificate: String(id) } })}
          >
            Renew now
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}

function Remove({ certificate: { id, hosts, used_by }, onClose }: { certificate: Certificate; onClose: () => void }) {
  const name = hosts[0] ?? String(id);
  const remove = useCall('removeCertificate', {
    changes: ['listCertificates'],
    onDone: () => {
      say(`Removed the certificate of ${name}.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove the certificate of ${name}?`}
      action="Remove certificate"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { certificate: String(id) } })}
    >
      <p>
        This deletes the certificate and its private key. This cannot be undone. If possible, Davit requests new
        certificates for the affected domains.
      </p>
      {used_by.length > 0 && <p>Until then, these apps have no certificate: {used_by.join(', ')}.</p>}
    </ConfirmDialog>
  );
}
