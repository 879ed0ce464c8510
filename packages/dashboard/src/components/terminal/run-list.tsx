import type { Run } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query, useCall } from '../../api.ts';
import { useEarlier } from '../../earlier.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ShowEarlier } from '../../ui/show-earlier.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sayProblem } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { lineOf } from './command-words.ts';
import { RunOutput } from './run-output.tsx';
import { RunResult, took } from './run-status.tsx';

const COLUMNS: readonly Column<Run>[] = [
  { name: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Command', cell: (run) => <OpenRun run={run} /> },
  { name: 'Result', cell: (run) => <RunResult run={run} /> },
  { name: 'Duration', cell: took, wideOnly: true },
  { name: 'Started by', cell: ({ by, schedule }) => (schedule === null ? by : `schedule ${schedule}`), wideOnly: true },
];

function OpenRun({ run: { id, command } }: { run: Run }) {
  const [, show] = useSearchText('show');
  return (
    <button
      type="button"
      onClick={() => show(String(id))}
      className="block min-h-6 max-w-[26vw] md:max-w-lg truncate text-left font-mono text-xs text-accent hover:underline"
    >
      {lineOf(command)}
    </button>
  );
}

/** Lists the command runs of an app, newest first. The list includes command runs that a schedule started. */
export function RunList() {
  const path = useAppPath();
  const runs = useEarlier('listRuns', { params: path });
  const [shown, show] = useSearchText('show');
  return (
    <>
      <Table
        label="Earlier runs"
        columns={COLUMNS}
        rows={runs.items}
        keyOf={({ id }) => id}
        empty={
          <div className="flex flex-col gap-2 text-sm text-soft">
            <p>No runs yet. Run a command above, or in your own terminal:</p>
            <Commands lines={[`davit run ${path.project}/${path.environment}/${path.app} -- <command>`]} />
          </div>
        }
      />
      <ShowEarlier of={runs} />
      {shown !== null && <RunDialog key={shown} run={shown} onClose={() => show(null)} />}
    </>
  );
}

function RunDialog({ run: id, onClose }: { run: string; onClose: () => void }) {
  const path = useAppPath();
  const { data: run, error } = useQuery(query('getRun', { params: { ...path, run: id } }));
  return (
    <Dialog open onOpenChange={onClose} title={`Run ${id}`} wide>
      {error && <Problem error={error} />}
      {!run && !error && <Spinner label="Loading the run" />}
      {run && <RunFacts run={run} />}
    </Dialog>
  );
}

function RunFacts({ run }: { run: Run }) {
  const path = useAppPath();
  const forbidden = useForbidden('operate');
  const secret = useForbidden('secrets');
  const cancel = useCall('cancelRun', { changes: ['listRuns', 'getRun'] });
  const lines = run.output?.replace(/\n$/, '').split('\n') ?? [];
  return (
    <div className="flex flex-col gap-4">
      <Facts
        rows={[
          [
            'Command',
            <code key="command" className="font-mono text-xs break-all">
              {lineOf(run.command)}
            </code>,
          ],
          ['Result', <RunResult key="result" run={run} />],
          ['Started', <Time key="began" at={run.created_at} />],
          ['Duration', took(run)],
          ['Started by', run.schedule === null ? run.by : `schedule ${run.schedule}`],
          ...(run.error === null ? [] : ([['Error', run.error]] as const)),
        ]}
      />
      {run.output ? (
        <RunOutput label="Output" lines={lines.map((line) => ({ stream: 'stdout' as const, line }))} />
      ) : (
        <p className="text-sm text-soft">{outputWords(run, secret)}</p>
      )}
      {run.status === 'running' && (
        <div>
          <Button
            kind="danger"
            busy={cancel.isPending}
            disabledBecause={forbidden}
            onClick={() => cancel.mutate({ params: { ...path, run: String(run.id) } }, { onError: sayProblem })}
          >
            End run
          </Button>
        </div>
      )}
    </div>
  );
}

function outputWords({ status, output }: Run, secret: string | null): string {
  if (status === 'running') return 'The output is available when the run has ended.';
  if (status === 'skipped') return 'The command was not run.';
  if (output === null && secret !== null) return `The output can contain secrets. ${secret}`;
  return 'No output.';
}
