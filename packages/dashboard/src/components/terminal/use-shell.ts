import { type RefObject, useEffect, useState } from 'react';
import type { AppPath } from '../../paths.ts';
import { loadPart } from '../../util/part.ts';
import { ShellConnection, type ShellEnd, type ShellRequest } from './shell-connection.ts';
import type { Screen } from './xterm.ts';

export interface ShellSession {
  state: 'connecting' | 'open' | 'over';
  end: ShellEnd | null;
  screen: Screen | null;
  again: () => void;
}

/**
 * Opens a terminal in a page element. The shell ends when the component unmounts. A new shell starts when the replica
 * or the command changes, or when `again` is called.
 */
export function useShell(
  box: RefObject<HTMLElement | null>,
  path: AppPath,
  { replica, command }: ShellRequest,
): ShellSession {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<ShellSession['state']>('connecting');
  const [end, setEnd] = useState<ShellEnd | null>(null);
  const [screen, setScreen] = useState<Screen | null>(null);
  const { project, environment, app } = path;
  const commandJson = JSON.stringify(command);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed `attempt` opens a new shell
  useEffect(() => {
    const cleanups: (() => void)[] = [];
    let isOver = false;
    const open = async () => {
      const { openScreen } = await loadPart(() => import('./xterm.ts'));
      if (isOver || box.current === null) return;
      setState('connecting');
      setEnd(null);
      let connection: ShellConnection | null = null;
      const shown = openScreen(box.current, {
        onTyped: (bytes) => connection?.send(bytes),
        onResize: (size) => connection?.resize(size),
      });
      cleanups.push(() => shown.close());
      setScreen(shown);
      const request = { replica, command: JSON.parse(commandJson) as string[] };
      connection = new ShellConnection({ project, environment, app }, request, shown.size, {
        onOpen: () => {
          setState('open');
          shown.focus();
        },
        onBytes: shown.write,
        onEnd: (ended) => {
          shown.takesKeys(false);
          setEnd(ended);
          setState('over');
        },
      });
      cleanups.push(() => connection?.leave());
    };
    void open();
    return () => {
      isOver = true;
      for (const cleanup of cleanups.reverse()) cleanup();
      setScreen(null);
    };
  }, [box, project, environment, app, replica, commandJson, attempt]);
  return { state, end, screen, again: () => setAttempt((count) => count + 1) };
}
