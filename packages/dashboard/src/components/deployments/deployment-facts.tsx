import { type Deployment, whyWords } from '@davit/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { appPath, paths } from '../../paths.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { duration, Time } from '../../ui/time.tsx';
import { DeploymentLink } from '../app/replicas-card.tsx';
import { shortDigest } from '../app/short-digest.ts';

type Fact = readonly [name: string, value: ReactNode];

export function DeploymentFacts({ deployment }: { deployment: Deployment }) {
  return (
    <Card title="Details">
      <Facts rows={[...imageOf(deployment), ...timesOf(deployment), ...relatedTo(deployment)]} />
    </Card>
  );
}

function imageOf({ image, digest }: Deployment): Fact[] {
  return [
    ['Image', <Copyable key="image" text={image} />],
    [
      'Digest',
      digest === null ? (
        'not known yet'
      ) : (
        <Copyable key="digest" text={digest}>
          {shortDigest(digest)}
        </Copyable>
      ),
    ],
  ];
}

function timesOf(deployment: Deployment): Fact[] {
  const { created_at, started_at, finished_at, duration_ms } = deployment;
  const waitedMs = started_at === null ? 0 : Date.parse(started_at) - Date.parse(created_at);
  return [
    ['Trigger', whyWords(deployment)],
    ['Created', <Time key="created" at={created_at} />],
    ...(waitedMs >= 1_000 ? [['Waited', duration(waitedMs)] as const] : []),
    ...(finished_at === null ? [] : [['Ended', <Time key="finished" at={finished_at} />] as const]),
    ...(finished_at === null || duration_ms === null ? [] : [['Duration', duration(duration_ms)] as const]),
  ];
}

function relatedTo({ rollback_of, promoted_from, superseded_by, revision }: Deployment): Fact[] {
  return [
    ['Settings', `revision ${revision}`],
    ...(rollback_of === null ? [] : [['Rolled back to', <DeploymentLink key="back" id={rollback_of} />] as const]),
    ...(superseded_by === null ? [] : [['Superseded by', <DeploymentLink key="by" id={superseded_by} />] as const]),
    ...(promoted_from === null ? [] : [['Promoted from', <Origin key="from" from={promoted_from} />] as const]),
  ];
}

function Origin({ from: { app, deployment } }: { from: NonNullable<Deployment['promoted_from']> }) {
  if (app === null) return `deployment #${deployment} of a project to which you have no access`;
  return (
    <Link to={paths.appDeployment({ ...appPath(app), deployment })} className="text-accent hover:underline">
      {app} #{deployment}
    </Link>
  );
}
