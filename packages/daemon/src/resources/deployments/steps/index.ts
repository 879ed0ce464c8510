import type { StepName } from '../plan.ts';
import type { Step } from '../work.ts';
import { check } from './check.ts';
import { hold, pull, resolve } from './image.ts';
import { create, start, stopOld } from './instances.ts';
import { network, release } from './release.ts';
import { switchTraffic } from './switch.ts';

export const STEPS: Record<StepName, Step> = {
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
