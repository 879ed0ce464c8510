/**
 * Actions of the daemon program that need no running daemon, for example `main.mjs uninstall`. The command line starts
 * this program on the server of the instance.
 */
import { type Action, type ActionEvent, ActionFailed } from './action.ts';
import { checkAction } from './check-action.ts';
import { DaemonNotStopped } from './daemon-process.ts';
import { recoverKeyAction } from './recover-key-action.ts';
import { uninstallAction } from './uninstall-action.ts';

const ACTIONS: Record<string, Action> = {
  check: checkAction,
  'recover-key': recoverKeyAction,
  uninstall: uninstallAction,
};

interface Streams {
  write: (line: string) => void;
  /** Reads stdin to its end. */
  input: () => Promise<string>;
}

/**
 * Runs an action. With the flag `--json`, writes each event as one line of JSON, otherwise as text.
 * @returns exit code of the process: 0 for success, 1 for an error, 2 for a wrong command line
 */
export async function runAction(name: string, args: string[], { write, input }: Streams): Promise<number> {
  const isJson = args.includes('--json');
  const emit = (event: ActionEvent) => {
    if (isJson) write(JSON.stringify(event));
    else for (const line of event.lines) write(line);
  };
  try {
    return await actionNamed(name)(
      args.filter((arg) => arg !== '--json'),
      { emit, input },
    );
  } catch (error) {
    const exit = exitOf(error);
    emit({
      kind: 'error',
      lines: [`error: ${(error as Error).message}`],
      data: { exit, message: (error as Error).message },
    });
    return exit === 'usage' ? 2 : 1;
  }
}

function actionNamed(name: string): Action {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action !== undefined) return action;
  throw new ActionFailed('usage', `Unknown action ${name}. Use one of: ${Object.keys(ACTIONS).join(', ')}.`);
}

function exitOf(error: unknown): ActionFailed['exit'] {
  if (error instanceof ActionFailed) return error.exit;
  if (error instanceof DaemonNotStopped) return 'conflict';
  // Node and Davit throw this error for an unknown flag.
  return error instanceof TypeError ? 'usage' : 'failed';
}
