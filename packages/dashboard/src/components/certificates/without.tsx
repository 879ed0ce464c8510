import { type App, type Domain, helpPath } from '@davit/api';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query, useAnswer } from '../../api.ts';
import { appPath, paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Time } from '../../ui/time.tsx';
import { Wrapping } from '../../ui/wrapping.tsx';
import { Advice } from './advice.tsx';
import { TONE_TEXT, WITHOUT } from './words.ts';

interface Host {
  app: string;
  domain: Domain;
}

const domainsOf = ({ reference }: App) => query('listDomains', { params: appPath(reference) });

/** Lists the domains of apps that have no TLS certificate, and explains for each domain how to get one. */
export function HostsWithout() {
  const apps = useAnswer('listApps').filter(({ domains }) => domains.length > 0);
  const hosts = useQueries({
    queries: apps.map(domainsOf),
    combine: (answers) =>
      answers.flatMap(({ data }, i): Host[] =>
        (data ?? []).map((domain) => ({ app: apps[i]?.reference ?? '', domain })),
      ),
  });
  // Domains with the same host but different paths share one certificate, so each host is listed once.
  const missing = hosts.filter(
    ({ domain }, i) =>
      domain.certificate.status !== 'active' && hosts.findIndex((one) => one.domain.host === domain.host) === i,
  );
  if (missing.length === 0) return null;
  return (
    <Card title="Domains without a certificate" description="These domains use HTTP until they have a certificate.">
      <ul className="flex flex-col divide-y divide-line">
        {missing.map((host) => (
          <Missing key={host.domain.host} host={host} />
        ))}
      </ul>
    </Card>
  );
}

function Missing({ host: { app, domain } }: { host: Host }) {
  const { status, problem, problem_code, next_try_at } = domain.certificate;
  const { email } = useAnswer('getSettings').acme;
  if (status === 'active') return null;
  const { tone, words } = WITHOUT[status];
  return (
    <li className="flex flex-col gap-2 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">
          <Wrapping text={domain.host} />
        </span>
        <span className={TONE_TEXT[tone]}>{words}</span>
        <Link to={paths.app(appPath(app))} className="font-mono text-[0.8125rem] text-accent hover:underline">
          <Wrapping text={app} />
        </Link>
        {next_try_at && (
          <span className="text-soft">
            next attempt <Time at={next_try_at} />
          </span>
        )}
      </div>
      {problem && (
        <p className="break-words text-soft">
          {problem}
          <HelpLink to={helpPath(problem_code)} />
        </p>
      )}
      {status === 'failed' && <Advice host={domain.host} />}
      {status === 'none' && email === null && (
        <p>
          <Link
            to={paths.settings()}
            search={{ section: 'certificates' } as never}
            className="text-accent underline underline-offset-2"
          >
            Set a contact address in the settings
          </Link>{' '}
          to request certificates.
        </p>
      )}
    </li>
  );
}
