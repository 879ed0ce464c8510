import { type Certificate, helpPath } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty } from '../../ui/card.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { Wrapping } from '../../ui/wrapping.tsx';
import { useSearchText } from '../../util/params.ts';
import { stateOf, TONE_TEXT } from './words.ts';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function State({ certificate }: { certificate: Certificate }) {
  const { tone, words } = stateOf(certificate, useNow());
  return (
    <div className="min-w-0">
      <span className={`inline-flex items-center gap-1.5 ${TONE_TEXT[tone]}`}>
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-current" />
        {words}
      </span>
      {certificate.problem && (
        <p className="max-w-80 text-xs break-words text-soft">
          {certificate.problem}
          <HelpLink to={helpPath(certificate.problem_code)} />
        </p>
      )}
    </div>
  );
}

/** Shows the app or the component of Davit that uses a TLS certificate. An app is shown as a link. */
function User({ name }: { name: string }) {
  if (!name.includes('/')) return <span>{name === 'instance' ? 'this page' : `the ${name}`}</span>;
  return (
    <Link to={paths.app(appPath(name))} className="font-mono text-[0.8125rem] text-accent hover:underline">
      <Wrapping text={name} />
    </Link>
  );
}

const COLUMNS: readonly Column<Certificate>[] = [
  {
    name: 'Names',
    cell: (certificate) => (
      <div className="min-w-0">
        {certificate.hosts.map((host) => (
          <p key={host} className="font-medium">
            <Wrapping text={host} />
          </p>
        ))}
        <p className="text-xs text-soft">{certificate.kind === 'custom' ? 'uploaded' : 'automatic'}</p>
        <div className="md:hidden">
          <State certificate={certificate} />
        </div>
      </div>
    ),
  },
  { name: 'State', wideOnly: true, cell: (certificate) => <State certificate={certificate} /> },
  {
    name: 'Expires',
    cell: ({ not_after }) => (
      <div>
        <Time at={not_after} />
        <p className="text-xs whitespace-nowrap text-soft">{DAY.format(Date.parse(not_after))}</p>
      </div>
    ),
  },
  { name: 'Issuer', wideOnly: true, cell: ({ issuer }) => <span className="break-words">{issuer}</span> },
  {
    name: 'Used by',
    wideOnly: true,
    cell: ({ used_by }) =>
      used_by.length === 0 ? (
        <span className="text-soft">nothing</span>
      ) : (
        <ul>
          {used_by.map((name) => (
            <li key={name}>
              <User name={name} />
            </li>
          ))}
        </ul>
      ),
  },
];

export function Certificates() {
  const certificates = useAnswer('listCertificates');
  const [, setOpened] = useSearchText('certificate');
  const columns = [
    ...COLUMNS,
    {
      name: 'Actions',
      hideName: true,
      end: true,
      cell: ({ id, hosts }: Certificate) => (
        <Button kind="quiet" aria-label={`Open ${hosts[0] ?? id}`} onClick={() => setOpened(String(id))}>
          Open
        </Button>
      ),
    },
  ];
  return (
    <Card
      title="Certificates"
      description="Davit requests and renews automatic certificates. Davit does not renew uploaded certificates."
    >
      <Table label="Certificates" columns={columns} rows={certificates} keyOf={({ id }) => id} empty={<None />} />
    </Card>
  );
}

function None() {
  const { email } = useAnswer('getSettings').acme;
  return (
    <Empty title="No certificates">
      {email === null ? (
        <p>
          Davit requests no certificates until a contact address is set. An admin can set the address in the{' '}
          <Link
            to={paths.settings()}
            search={{ section: 'certificates' } as never}
            className="text-accent underline underline-offset-2"
          >
            settings
          </Link>
          , or upload a certificate.
        </p>
      ) : (
        <p>
          The domain must point to this server. Davit requests a certificate when a domain receives its first request.
        </p>
      )}
    </Empty>
  );
}
