import { ToolFailed } from './program.ts';

/**
 * Runs an action for each item. Items can depend on each other in an unknown order, so the action is repeated for
 * failed items until all remaining items fail.
 * @returns the remaining items with their error messages
 */
export async function inRounds<T>(
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
): Promise<{ item: T; why: string }[]> {
  const failed: { item: T; why: string }[] = [];
  for (const item of items) {
    try {
      await action(item);
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error;
      failed.push({ item, why: error.message });
    }
  }
  if (failed.length === items.length) return failed;
  return inRounds(
    failed.map(({ item }) => item),
    action,
  );
}
