import type { Group } from '../group.ts';
import type { InstanceState } from '../instance.ts';
import type { ObjectKind } from '../labels.ts';
import type { LogLine } from '../logs.ts';
import type { Behaviour } from './behaviour.ts';

/** State of a simulated container. */
export interface MemoryContainer {
  id: string;
  name: string;
  kind: ObjectKind;
  app: string;
  deployment: number | null;
  imageId: string;
  network: string;
  /** Address, or `null` for a one-off command, which receives no connections. */
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
  /** `true` if the container lost its network while it ran. */
  isCutOff?: boolean;
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  startedAt: Date | null;
  restartPolicy: 'no' | 'unless-stopped';
  /** Number of probes since the last start. */
  probes: number;
  logs: LogLine[];
}
