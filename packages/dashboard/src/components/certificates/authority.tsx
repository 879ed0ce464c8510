import type { AuthorityLimit } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const LIMIT_WORDS: Record<AuthorityLimit['limit'], string> = {
  orders: 'New orders',
  certificates_per_domain: 'Certificates of a domain',
  duplicates: 'The same certificate again',
  failed_validations: 'Failed proofs of a name',
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
  { name: 'Within', wideOnly: true, cell: ({ window_s }) => within(window_s) },
  {
    name: 'Next frees',
    cell: ({ frees_at }) => (frees_at === null ? <span className="text-soft">–</span> : <Time at={frees_at} />),
  },
];

function within(seconds: number): string {
  const days = seconds / 86_400;
  return days >= 1 ? `${days} ${days === 1 ? 'day' : 'days'}` : `${seconds / 3_600} h`;
}

/** Shows the certificate authority and its rate limits. */
export function AuthorityCard() {
  const authority = useAnswer('getAuthority');
  const { name, directory, email, account, external_account: bound, problem, paused_until, limits } = authority;
  return (
    <>
      {email === null && (
        <Notice tone="warning">
          No contact is set, so no certificate is ordered.{' '}
          <Link to={paths.settings()} search={{ section: 'certificates' } as never} className="underline">
            Set one in the settings
          </Link>
          .
        </Notice>
      )}
      {problem && (
        <Notice tone="error">
          {problem}
          {paused_until && (
            <>
              {' '}
              Tried again <Time at={paused_until} />.
            </>
          )}
        </Notice>
      )}
      <Card
        title={name}
        description="Who certificates are ordered from."
        actions={
          <ButtonLink to={paths.settings()} search={{ section: 'certificates' } as never}>
            Change in the settings
          </ButtonLink>
        }
      >
        <Facts
          rows={[
            ['Directory', <Copyable key="directory" text={directory} />],
            ['Contact', email ?? 'none'],
            ['Account', account === null ? 'none yet: one is made with the first order' : account],
            ['External account', bound ?? 'none'],
          ]}
        />
      </Card>
      <Card title="Limits" description="What it allows, and what is used of it as counted here.">
        <Table
          label="Limits of the authority"
          columns={COLUMNS}
          rows={limits}
          keyOf={({ limit, subject }) => `${limit} ${subject}`}
          empty={<p className="text-sm text-soft">The limits of this authority are not known.</p>}
        />
      </Card>
    </>
  );
}
