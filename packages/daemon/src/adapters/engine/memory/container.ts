import type { Group } from '../group.ts';
import type { InstanceState } from '../instance.ts';
import type { ObjectKind } from '../labels.ts';
import type { LogLine } from '../logs.ts';
import type { Behaviour } from './behaviour.ts';

export interface MemoryContainer {
  id: string;
  name: string;
  kind: ObjectKind;
  app: string;
  deployment: number | null;
  imageId: string;
  network: string;
  /**
   * IPv4 address of a simulated container. `null` for a container that runs one command and then exits, because no
   * client connects to such a container.
   */
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
  /** `true` if a test has disconnected the running simulated container from its network. */
  isCutOff?: boolean;
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  startedAt: Date | null;
  restartPolicy: 'no' | 'unless-stopped';
  /** Number of health checks since the last start of the simulated container. */
  probes: number;
  logs: LogLine[];
}
