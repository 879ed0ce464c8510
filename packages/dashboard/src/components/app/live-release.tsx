import { type App, type Deployment, whyWords } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';
import { shortDigest } from './short-digest.ts';

/**
 * Shows the live release of an app, and when and by whom the release was deployed. The deployment of the release is
 * usually in the list of newest deployments. The page has already fetched this list.
 */
export function LiveRelease({ app, live }: { app: App; live: number }) {
  const deployment = useAnswer('listDeployments', { params: useAppPath() }).find(({ id }) => id === live);
  if (deployment) return <Release app={app} deployment={deployment} />;
  return (
    <Suspense>
      <OlderRelease app={app} live={live} />
    </Suspense>
  );
}

function OlderRelease({ app, live }: { app: App; live: number }) {
  const params = { ...useAppPath(), deployment: String(live) };
  return <Release app={app} deployment={useAnswer('getDeployment', { params })} />;
}

function Release({ app, deployment }: { app: App; deployment: Deployment }) {
  const path = useAppPath();
  const { id, tag, digest, image, finished_at: at, revision } = deployment;
  return (
    <Card title={app.status === 'stopped' ? 'Last live release' : 'Live release'}>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3">
        <span className="font-mono text-2xl break-all">{tag}</span>
        <span className="text-sm text-soft">{at && <Time at={at} />}</span>
      </p>
      <Facts
        rows={[
          ['Image', <Copyable key="image" text={image} />],
          [
            'Digest',
            digest === null ? (
              'unknown'
            ) : (
              <Copyable key="digest" text={digest}>
                {shortDigest(digest)}
              </Copyable>
            ),
          ],
          ['Trigger', whyWords(deployment)],
          [
            'Deployment',
            <Link
              key="deployment"
              to={paths.appDeployment({ ...path, deployment: id })}
              className="text-accent underline"
            >
              #{id}
            </Link>,
          ],
          ['Settings', `revision ${revision}`],
        ]}
      />
    </Card>
  );
}
