import { deployedApp, paramsOf, type TestDaemon } from '@davit/testkit';

/** An app whose replicas write lines on request of a test. */
export interface WritingApp {
  reference: string;
  params: { project: string; environment: string; app: string };
  /** Returns the path of a tab of the app. */
  page: (tab: 'logs' | 'terminal', search?: string) => string;
  /** Makes the first replica write lines. */
  write: (lines: readonly string[], stream?: 'stdout' | 'stderr') => void;
}

export async function writingApp(daemon: TestDaemon, settings: Record<string, unknown> = {}): Promise<WritingApp> {
  const { app } = await deployedApp(daemon, settings);
  const { controls } = daemon.engine;
  const own = () => {
    const names = new Set(app.replicas.map(({ name }) => name));
    return controls.containers().filter(({ name }) => names.has(name));
  };
  return {
    reference: app.reference,
    params: paramsOf(app),
    page: (tab, search = '') => `/projects/${app.reference}/${tab}${search}`,
    write: (lines, stream = 'stdout') => {
      const [first] = own();
      if (first === undefined) throw new Error(`${app.reference} has no instance`);
      for (const line of lines) controls.writeLog(first.id, line, stream);
    },
  };
}

/** Returns the lines from `line <from>.` to `line <to>.`. */
export function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}.`);
}
