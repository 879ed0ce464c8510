import type { App } from '@davit/api';

export type AppAction = 'deploy' | 'rollBack' | 'promote' | 'restart' | 'start' | 'stop';

const NEVER = 'This app was never deployed.';

/**
 * Returns an object with one entry for each action on an app. The entry is the reason why the action is not possible
 * now, or `null` if it is possible.
 * @param forbidden reason why the user may not operate the app
 */
export function whyNot(
  app: Pick<App, 'status' | 'live_deployment'>,
  forbidden: string | null,
): Record<AppAction, string | null> {
  const never = app.live_deployment === null ? NEVER : null;
  const stopped = app.status === 'stopped' ? 'The app is stopped. Start the app instead.' : null;
  return {
    deploy: forbidden,
    promote: forbidden,
    rollBack: forbidden ?? never,
    restart: forbidden ?? never ?? stopped,
    start: forbidden ?? never,
    stop: forbidden ?? never,
  };
}
