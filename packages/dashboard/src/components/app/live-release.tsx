import type { App } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';
import { shortDigest, whyWords } from './trigger-words.ts';

/** Shows the live release of an app. Also shows when and by whom it was deployed. */
export function LiveRelease({ app, live }: { app: App; live: number }) {
  const path = useAppPath();
  const deployment = useAnswer('getDeployment', { params: { ...path, deployment: String(live) } });
  const { tag, digest, image, finished_at: at, revision } = deployment;
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
              to={paths.appDeployment({ ...path, deployment: live })}
              className="text-accent underline"
            >
              #{live}
            </Link>,
          ],
          ['Settings', `revision ${revision}`],
        ]}
      />
    </Card>
  );
}
