import type { App } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { appPath } from '../../paths.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Choice, RadioGroup } from '../../ui/radio.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSearchText } from '../../util/params.ts';
import type { Asked } from './plan.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { shortDigest } from './trigger-words.ts';

/** Renders the dialog that deploys the exact image which is live in the app of the same name in another environment. */
export function PromoteAppDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const listed = useQuery(query('listApps'));
  const [named, setNamed] = useSearchText('from');
  const others = othersOf(app, listed.data ?? []);
  const from = others.find(({ environment }) => environment === named) ?? others.find(isLive);
  const asked: Asked | null = from && isLive(from) ? { operation: 'deployApp', body: { from: from.reference } } : null;
  return (
    <PlanDialog
      app={app}
      title={`Promote to ${app.environment}`}
      description={`${app.name} gets exactly the image that is live elsewhere, with the settings and variables that it has here.`}
      asked={asked}
      none="Nothing is chosen to promote from."
      action={from ? `Promote from ${from.environment}` : 'Promote'}
      onClose={onClose}
    >
      {listed.isLoading && <Spinner label="Loading the apps" />}
      {listed.error && <Problem error={listed.error} />}
      {listed.data && others.length === 0 && (
        <p className="text-sm">
          There is no app {app.name} in another environment of {app.project}.
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
    hint: `${tag} is live, the app is ${status}`,
    disabledBecause: tag === null ? 'Nothing is live there yet.' : null,
  };
}

/** Shows the image. The promotion deploys this image, even if its tag has moved since. */
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
