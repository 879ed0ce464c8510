import { configFromProcess } from '../config/env.ts';
import { type ActionStreams, splitFlags } from './action.ts';
import { checkFromOutside } from './outside-checks.ts';

/** Checks an instance whose daemon does not respond. */
export async function checkAction(args: string[], { emit }: ActionStreams): Promise<number> {
  const { settings } = splitFlags(args, {});
  const checks = await checkFromOutside(configFromProcess(settings));
  emit({
    kind: 'result',
    lines: checks.map(({ name, state, message }) => `${state.padEnd(7)} ${name.padEnd(15)} ${message}`),
    data: checks,
  });
  return checks.some(({ state }) => state === 'problem') ? 1 : 0;
}
