import type { App } from '@davit/api';

export type AppAction = 'deploy' | 'rollBack' | 'promote' | 'restart' | 'start' | 'stop';

const NEVER = 'Nothing of this app was deployed yet.';

/**
 * Why each thing cannot be done with an app in its present state; null: it can.
 * @param forbidden why who is signed in may not operate it
 */
export function whyNot(
  app: Pick<App, 'status' | 'live_deployment'>,
  forbidden: string | null,
): Record<AppAction, string | null> {
  const never = app.live_deployment === null ? NEVER : null;
  const stopped = app.status === 'stopped' ? 'The app is stopped: start it instead.' : null;
  return {
    deploy: forbidden,
    promote: forbidden,
    rollBack: forbidden ?? never,
    restart: forbidden ?? never ?? stopped,
    start: forbidden ?? never,
    stop: forbidden ?? never,
  };
}
