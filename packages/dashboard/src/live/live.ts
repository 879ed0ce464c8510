/**
 * What happens on the instance, as it happens. All tabs of a browser share one connection; see `connection.ts`.
 */
import type { AppEvent, DeploymentEvent, InstanceEvent, MetricEvent } from '@davit/api';
import { createStore } from '../util/store.ts';

/** `connecting`: for the first time. `away`: it was live, and is trying again by itself. */
export type LiveState = 'connecting' | 'live' | 'away';

export const liveState = createStore<LiveState>('connecting');

export type Happened =
  | { kind: 'deployment'; data: DeploymentEvent }
  | { kind: 'app'; data: AppEvent }
  | { kind: 'instance'; data: InstanceEvent }
  | { kind: 'metric'; data: MetricEvent };
