import { type App, shellWord } from '@davit/api';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { NeverDeployed } from '../app/never-deployed.tsx';
import type { LogFeed } from './log-feed.ts';
import type { LogAddress, SetLogAddress } from './use-log-address.ts';

/** Shows a message above the first log line. The message says whether older lines exist or are being loaded. */
export function TopOfLog({ feed, onLoad }: { feed: LogFeed; onLoad: () => void }) {
  const { older, buffer } = feed;
  const row = (children: ReactNode) => (
    <div className="sticky left-0 flex min-h-[22px] w-full max-w-[100vw] items-center gap-2 px-3 font-sans text-xs text-soft">
      {children}
    </div>
  );
  if (older.state === 'loading')
    return row(
      <>
        <Spinner /> Loading older lines.
      </>,
    );
  if (older.state === 'failed' && older.error) {
    return (
      <Problem error={older.error} className="m-2 font-sans">
        <Button onClick={onLoad} className="mt-2">
          Try again
        </Button>
      </Problem>
    );
  }
  if (older.state === 'full') {
    return row('This page cannot show more lines. Choose a time range to see older lines.');
  }
  if (older.state === 'idle')
    return row(
      <button type="button" onClick={onLoad} className="min-h-6 px-1 text-accent hover:underline">
        Load older lines
      </button>,
    );
  if (older.state === 'end' && buffer.all.length > 0) return row('There are no older lines.');
  return null;
}

/** Explains why the log page shows no lines, and what the user can do. */
export function NoLines({
  app,
  feed,
  address,
  set,
}: {
  app: App;
  feed: LogFeed;
  address: LogAddress;
  set: SetLogAddress;
}) {
  const { older, buffer } = feed;
  if (feed.refused && buffer.all.length === 0) return null;
  if (older.state === 'waiting' || older.state === 'loading')
    return (
      <p className="p-4 text-sm">
        <Spinner label="Loading lines" />
      </p>
    );
  if (buffer.all.length > 0 && older.state !== 'end') return null;
  if (feed.isFollowed && older.isEmpty) return <NeverWrote app={app} />;
  const clear = () =>
    set({ q: null, replica: null, stream: null, deployment: null, level: null, since: null, until: null, line: null });
  const { q, replica, stream, deployment } = address.filter;
  const command = [
    `davit logs ${app.reference}`,
    q !== null && `--grep ${shellWord(q)}`,
    replica !== null && `--replica ${replica}`,
    deployment !== null && `--deployment ${deployment}`,
    stream !== null && `--stream ${stream}`,
    address.since !== null && `--since ${address.since}`,
    address.until !== null && `--until ${address.until}`,
  ];
  return (
    <Framed>
      <Empty title="No matching lines">
        <p>
          {feed.isFollowed
            ? 'No stored line matches the filter. New matching lines appear here.'
            : 'No stored line of this time range matches the filter.'}
        </p>
        <div>
          <Button onClick={clear}>Show all lines</Button>
        </div>
        <Commands lines={[command.filter(Boolean).join(' ')]} />
      </Empty>
    </Framed>
  );
}

function NeverWrote({ app }: { app: App }) {
  if (app.live_deployment === null)
    return (
      <Framed>
        <NeverDeployed app={app} />
      </Framed>
    );
  return (
    <Framed>
      <Empty title="No log lines yet">
        <p>This page shows what the replicas of the app write to stdout and stderr.</p>
        <Commands lines={[`davit logs ${app.reference} --follow`]} />
      </Empty>
    </Framed>
  );
}

function Framed({ children }: { children: ReactNode }) {
  return <div className="absolute inset-0 z-10 grid place-items-center overflow-auto bg-panel p-4">{children}</div>;
}
