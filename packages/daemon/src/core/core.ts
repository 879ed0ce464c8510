import type { Instance } from '@davit/api';
import type { Logger } from '@davit/service';
import type { Passwords } from '../auth/passwords.ts';
import type { RegistryKeys } from '../auth/registry-keys.ts';
import type { Lego } from '../certificates/lego/lego.ts';
import type { Deploys } from '../deploy/deploys.ts';
import type { Catalog } from '../installs/catalog/catalog.ts';
import type { Logs } from '../logs/logs.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Base } from '../release/base.ts';
import type { RegistryCollector } from '../release/registry-collector.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Live } from './live.ts';
import type { Pushes } from './pushes.ts';
import type { RunMachine } from './run-machine.ts';

/** What the core's functions work with: the base and the deploy machine on it. */
export interface Core extends Base {
  /** Of work that no request waits for. */
  log: Logger;
  deploys: Deploys;
  /** Where every password is hashed, so that a few at a time are. */
  passwords: Passwords;
  /** What the instance and its own registry know each other by. */
  registryKeys: RegistryKeys;
  /** What is pushed to this instance. */
  pushes: Pushes;
  /** What happens, as it happens. */
  live: Live;
  /** What apps wrote. */
  logs: Logs;
  /** What apps and the machine used. */
  metrics: Metrics;
  /** What was asked of apps. */
  traffic: Traffic;
  /** The fullest of the disks that the instance needs; null before one was seen. */
  disk: () => Instance['disk'];
  /** What writes records of domains; null: nothing can here. */
  lego: Lego | null;
  /** Commands that run once, by hand or at set times. */
  runs: RunMachine;
  /** The templates that there are to install. */
  catalog: Catalog;
  /** Long work that is no deployment: see `tasks/kind.ts` for what a kind is, `task-kinds.ts` for those there are. */
  tasks: Tasks;
  /** Asks for databases to be looked after soon. */
  nudgeDatabases: () => void;
  /** The same of object stores that the instance runs. */
  nudgeStores: () => void;
  /** Asks for the times of backups to be looked at soon; for changes of them. */
  nudgeBackups: () => void;
  /** Asks for the times of schedules to be looked at soon; for changes of them. */
  nudgeSchedules: () => void;
  /** Removes what nothing in the registry needs. */
  collector: RegistryCollector;
  /** What an operator should know, in sentences. */
  warnings: () => string[];
}
