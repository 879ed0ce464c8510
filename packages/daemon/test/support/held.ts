import { setImmediate } from 'node:timers/promises';

/** Number of turns of the event loop, far more than any work needs that does not wait. */
const TURNS = 2_000;

/**
 * Gives work time to end, measured in turns of the event loop instead of a clock.
 * @returns whether the work waits for an event that does not happen
 */
export async function isHeld(work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  for (let turn = 0; turn < TURNS && !isOver; turn++) await setImmediate();
  return !isOver;
}
