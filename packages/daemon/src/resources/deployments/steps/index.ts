import type { DeploymentStepName } from '@davit/api';
import type { Step } from '../work.ts';
import { check } from './check.ts';
import { hold, pull, resolve } from './image.ts';
import { create, start, stopOld } from './instances.ts';
import { network, release } from './release.ts';
import { switchTraffic } from './switch.ts';

export const STEPS: Record<DeploymentStepName, Step> = {
  resolve,
  pull,
  hold,
  network,
  release,
  create,
  'stop-old': stopOld,
  start,
  check,
  switch: switchTraffic,
};
