import type { App } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { appPath } from '../../paths.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Choice, RadioGroup } from '../../ui/radio.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSearchText } from '../../util/params.ts';
import type { DeploymentRequest } from './plan.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { shortDigest } from './short-digest.ts';

/**
 * Renders the dialog that promotes an image to an app. The image already runs in the app with the same name in another
 * environment.
 */
export function PromoteAppDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const listed = useQuery(query('listApps'));
  const [named, setNamed] = useSearchText('from');
  const others = othersOf(app, listed.data ?? []);
  const from = others.find(({ environment }) => environment === named) ?? others.find(isLive);
  const request: DeploymentRequest | null =
    from && isLive(from) ? { operation: 'deployApp', body: { from: from.reference } } : null;
  return (
    <PlanDialog
      app={app}
      title={`Promote to ${app.environment}`}
      description={`${app.name} gets the live image of another environment. Its settings and variables in this environment do not change.`}
      asked={request}
      none="Choose an environment first."
      action={from ? `Promote from ${from.environment}` : 'Promote'}
      onClose={onClose}
    >
      {listed.isLoading && <Spinner label="Loading the apps" />}
      {listed.error && <Problem error={listed.error} />}
      {listed.data && others.length === 0 && (
        <p className="text-sm">
          No other environment of {app.project} has an app {app.name}.
        </p>
      )}
      {others.length > 0 && (
        <RadioGroup
          label="From"
          choices={others.map(choiceOf)}
          value={from?.environment ?? ''}
          onChange={(environment) => setNamed(environment)}
        />
      )}
      {from && isLive(from) && <Image app={from} />}
    </PlanDialog>
  );
}

function othersOf({ project, name, reference }: App, all: readonly App[]): App[] {
  return all.filter((one) => one.project === project && one.name === name && one.reference !== reference);
}

function isLive({ live_deployment: live }: App): boolean {
  return live !== null;
}

function choiceOf({ environment, live_tag: tag, status }: App): Choice<string> {
  return {
    value: environment,
    label: environment,
    hint: `Live tag: ${tag}. Status: ${status}.`,
    disabledBecause: tag === null ? 'This app has no live release.' : null,
  };
}

/**
 * Shows the digest of the image to promote. The promotion deploys exactly this digest, even if the image tag now refers
 * to another image.
 */
function Image({ app }: { app: App }) {
  const params = { ...appPath(app.reference), deployment: String(app.live_deployment) };
  const live = useQuery(query('getDeployment', { params }));
  if (live.error) return <Problem error={live.error} />;
  if (!live.data) return <Spinner label="Loading the image" />;
  const { image, digest } = live.data;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="text-soft">Image</span>
      <Copyable text={image} />
      {digest !== null && <Copyable text={digest}>{shortDigest(digest)}</Copyable>}
    </p>
  );
}
