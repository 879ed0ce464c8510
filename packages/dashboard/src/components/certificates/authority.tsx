import { type AuthorityLimit, helpPath } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const LIMIT_WORDS: Record<AuthorityLimit['limit'], string> = {
  orders: 'New certificates',
  certificates_per_domain: 'Certificates per domain',
  duplicates: 'Duplicate certificates',
  failed_validations: 'Failed domain validations per host',
};

const COLUMNS: readonly Column<AuthorityLimit>[] = [
  {
    name: 'Limit',
    cell: ({ limit, subject }) => (
      <>
        {LIMIT_WORDS[limit]}
        {subject !== null && <p className="font-mono text-xs break-all text-soft">{subject}</p>}
      </>
    ),
  },
  {
    name: 'Used',
    cell: ({ used, most }) => (
      <span className={used >= most ? 'text-error' : ''}>
        {used} of {most}
      </span>
    ),
  },
  { name: 'Period', wideOnly: true, cell: ({ window_s }) => within(window_s) },
  {
    name: 'Usage decreases',
    cell: ({ frees_at }) => (frees_at === null ? <span className="text-soft">–</span> : <Time at={frees_at} />),
  },
];

function within(seconds: number): string {
  const days = seconds / 86_400;
  return days >= 1 ? `${days} ${days === 1 ? 'day' : 'days'}` : `${seconds / 3_600} h`;
}

/** Shows the ACME certificate authority that issues the TLS certificates, and the authority's rate limits. */
export function AuthorityCard() {
  const authority = useAnswer('getAuthority');
  const {
    name,
    directory,
    email,
    account,
    external_account: bound,
    problem,
    problem_code,
    paused_until,
    limits,
  } = authority;
  return (
    <>
      {email === null && (
        <Notice tone="warning">
          Davit requests no certificates, because no contact address is set.{' '}
          <Link to={paths.settings()} search={{ section: 'certificates' } as never} className="underline">
            Set a contact address in the settings
          </Link>
          .
        </Notice>
      )}
      {problem && (
        <Notice tone="error">
          {problem}
          <HelpLink to={helpPath(problem_code)} />
          {paused_until && (
            <>
              {' '}
              Next attempt <Time at={paused_until} />.
            </>
          )}
        </Notice>
      )}
      <Card
        title={name}
        description="Davit requests certificates from this certificate authority."
        actions={
          <ButtonLink to={paths.settings()} search={{ section: 'certificates' } as never}>
            Change in settings
          </ButtonLink>
        }
      >
        <Facts
          rows={[
            ['Directory', <Copyable key="directory" text={directory} />],
            ['Contact', email ?? 'none'],
            [
              'Account',
              account === null
                ? 'not created yet (Davit creates the account for its first certificate request)'
                : account,
            ],
            ['External account', bound ?? 'none'],
          ]}
        />
      </Card>
      <Card
        title="Rate limits"
        description="Limits that the certificate authority sets, and how much of each limit this instance has used."
      >
        <Table
          label="Rate limits of the certificate authority"
          columns={COLUMNS}
          rows={limits}
          keyOf={({ limit, subject }) => `${limit} ${subject}`}
          empty={<p className="text-sm text-soft">The rate limits of this certificate authority are not known.</p>}
        />
      </Card>
    </>
  );
}
