import type { TemplateInstall } from '@davit/api';
import { query, useAnswer } from '../api.ts';
import { usePresent } from '../components/app/use-present.ts';
import { AnswersCard } from '../components/installs/answers-card.tsx';
import { InstallActions } from '../components/installs/install-actions.tsx';
import { InstallState } from '../components/installs/install-state.tsx';
import { originWords } from '../components/installs/installs-table.tsx';
import { KeptData } from '../components/installs/kept-data.tsx';
import { Openings } from '../components/installs/openings.tsx';
import { ResourcesCard } from '../components/installs/resources-card.tsx';
import { RunCard } from '../components/installs/run-card.tsx';
import { runsOf } from '../components/installs/runs.ts';
import { RunsCard } from '../components/installs/runs-card.tsx';
import { SecretsCard } from '../components/installs/secrets-card.tsx';
import { UpdateNotice } from '../components/installs/update-notice.tsx';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { useName, useSearchText } from '../util/params.ts';

export async function load({ queries, params: { install }, search }: LoadArgs<{ install: string }>): Promise<void> {
  const params = { install };
  const [{ last_task }] = await Promise.all([
    queries.ensureQueryData(query('getTemplateInstall', { params })),
    queries.ensureQueryData(query('listTasks', runsOf(install))),
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('listCertificates')),
  ]);
  const run = typeof search.run === 'string' ? search.run : last_task;
  if (run !== null) await queries.ensureQueryData(query('getTask', { params: { task: String(run) } }));
}

export function Page() {
  const install = usePresent('getTemplateInstall', { params: { install: useName('install') } });
  const { title, origin, status, project, environment } = install;
  return (
    <Frame
      title={title}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <InstallState of={status} />
          {origin.release !== null && <bdi className="font-mono">{origin.release}</bdi>}
          <span className="text-soft">
            <bdi>{originWords(origin)}</bdi> in {project}/{environment}
          </span>
        </span>
      }
      actions={<InstallActions install={install} />}
    >
      <UpdateNotice install={install} />
      <Run install={install} />
      <Openings install={install} />
      <KeptData install={install} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ResourcesCard install={install} />
        <div className="flex min-w-0 flex-col gap-4">
          <AnswersCard install={install} />
          <SecretsCard install={install} />
        </div>
      </div>
      <RunsCard install={install} />
    </Frame>
  );
}

/**
 * Shows the background task that the URL names. If the URL names no task, shows the running task, or the last task of a
 * failed installation.
 */
function Run({ install }: { install: TemplateInstall }) {
  const [named] = useSearchText('run');
  const { task, status, last_task } = install;
  const run = named ?? (task !== null || status === 'failed' ? (task ?? last_task) : null);
  if (run === null) return null;
  return <ShownRun key={run} install={install} run={String(run)} />;
}

function ShownRun({ install, run }: { install: TemplateInstall; run: string }) {
  return <RunCard install={install} task={useAnswer('getTask', { params: { task: run } })} />;
}
