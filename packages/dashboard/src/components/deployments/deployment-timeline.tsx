import { type App, type Deployment, isTerminal } from '@davit/api';
import { Card } from '../../ui/card.tsx';
import { StepRows, useServerTime } from './step-rows.tsx';
import { stepsAhead, timelineOf } from './timeline.ts';

/**
 * Renders the steps of a deployment with their durations. If the deployment is running, the steps that have not started
 * are also shown.
 */
export function DeploymentTimeline({ deployment, app }: { deployment: Deployment; app: App }) {
  const now = useServerTime(deployment);
  const rows = timelineOf(deployment, stepsAhead(app), now);
  const running = rows.find(({ state }) => state === 'running');
  return (
    <Card title="Steps">
      {rows.length === 0 && <p className="text-sm text-soft">The deployment ended before its first step.</p>}
      <StepRows rows={rows} />
      {!isTerminal(deployment.status) && (
        <p role="status" className="sr-only">
          {running ? `${running.says}…` : 'Waiting for another deployment of this app.'}
        </p>
      )}
    </Card>
  );
}
