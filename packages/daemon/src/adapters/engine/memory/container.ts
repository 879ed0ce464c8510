import type { Group } from '../group.ts';
import type { InstanceState } from '../instance.ts';
import type { ObjectKind } from '../labels.ts';
import type { LogLine } from '../logs.ts';
import type { Behaviour } from './behaviour.ts';

/** A simulated container: what the engine would remember of it. */
export interface MemoryContainer {
  id: string;
  name: string;
  kind: ObjectKind;
  app: string;
  deployment: number | null;
  imageId: string;
  network: string;
  /** Null: a one-off, which nothing connects to. */
  address: string | null;
  env: Record<string, string>;
  command: string[] | null;
  args: string[] | null;
  limits: Group['limits'];
  stopSignal: string;
  volumes: Group['volumes'];
  tcpPorts: Group['tcpPorts'];
  files: Group['files'];
  behaviour: Behaviour;
  state: InstanceState;
  /** Its network was taken away while it ran. */
  isCutOff?: boolean;
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  startedAt: Date | null;
  restartPolicy: 'no' | 'unless-stopped';
  /** Probes since the last start. */
  probes: number;
  logs: LogLine[];
}
